// The part of a 9:16 frame that the apps do not cover with their own buttons and texts.
//
// Only approximations exist: the apps change their layouts, which also depend on the phone, the length of the post's text
// and on advertising. The page says so beside the choice.

export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export const ZONE_NAMES = ["tiktok", "douyin", "xiaohongshu", "channels", "shorts"] as const;
export type ZoneName = (typeof ZONE_NAMES)[number];

/** The frame that the insets refer to. */
const FRAME = { width: 1080, height: 1920 };

/** Covered pixels at each edge of a frame of 1080 × 1920. */
const COVERED: Readonly<Record<ZoneName, Insets>> = {
  // Creators' guides of 2025 and 2026 give 100 to 150 at the top, 270 to 370 at the bottom, and 120 to 150 at the right
  // for posts without advertising.
  tiktok: { top: 150, right: 130, bottom: 340, left: 60 },
  // No published values. Its buttons are where those of TikTok are, above a bar of tabs.
  douyin: { top: 150, right: 150, bottom: 380, left: 60 },
  // No published values. Author, text and the bar with the buttons are at the bottom; nothing is at the right.
  xiaohongshu: { top: 150, right: 60, bottom: 380, left: 60 },
  // No published values. Author, text and the row of buttons are at the bottom; nothing is at the right.
  channels: { top: 170, right: 60, bottom: 400, left: 60 },
  // Creators' guides give 140 to 380 at the top, 320 to 480 at the bottom, and 100 to 190 at the right; Google's
  // advice for advertisements is stricter (15 % at the top, 35 % at the bottom).
  shorts: { top: 180, right: 180, bottom: 440, left: 60 },
};

/** Whether a frame of this shape fills the screen of these apps, so that the zones apply. */
export const hasZones = (width: number, height: number): boolean => Math.abs(width / height - FRAME.width / FRAME.height) < 0.02;

/** The covered part at each edge, as fractions of the frame's width and height. */
export function coveredParts(name: ZoneName): Insets {
  const { top, right, bottom, left } = COVERED[name];
  return { top: top / FRAME.height, right: right / FRAME.width, bottom: bottom / FRAME.height, left: left / FRAME.width };
}
