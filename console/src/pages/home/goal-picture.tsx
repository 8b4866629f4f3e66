// Pictures of the goals: frames of videos, drawn in the colours of the page.

import type { ComponentChildren } from "preact";
import type { Goal } from "../../lib/task-types";

export type StartGoal = Goal | "table" | "template";

/** Sky, sun and hills of a frame. */
const TONES = [["#4a3f9e", "#f4a261", "#2b2460"], ["#1f6f8b", "#ffe08a", "#123f52"], ["#b5446e", "#ffd3a5", "#5e1f3b"], ["#2a9d6f", "#f7f3c0", "#155239"],
  ["#d97b29", "#fff2d0", "#7a3d0d"], ["#3565c9", "#ffc9de", "#1b3470"]] as const;

function Frame({ x, y, w, h, tone = 0, children, class: extra = "" }: {
  x: number; y: number; w: number; h: number; tone?: number; children?: ComponentChildren; class?: string;
}) {
  const [sky, sun, hill] = TONES[tone % TONES.length] ?? TONES[0];
  return (
    <svg x={x} y={y} width={w} height={h} viewBox={`0 0 ${w} ${h}`} class={extra}>
      <rect width={w} height={h} rx="3" fill={sky} />
      <circle class="goal-sun" cx={w * 0.66} cy={h * 0.38} r={Math.min(w, h) * 0.15} fill={sun} />
      <path d={`M0 ${h * 0.72} Q${w * 0.28} ${h * 0.42} ${w * 0.55} ${h * 0.7} T${w} ${h * 0.62} V${h - 3} Q${w} ${h} ${w - 3} ${h} H3 Q0 ${h} 0 ${h - 3} Z`} fill={hill} />
      {children}
    </svg>
  );
}

const Arrow = ({ x }: { x: number }) => <path class="goal-arrow" d={`M${x} 50h12m-5-5l5 5-5 5`} />;
const Play = ({ x, y }: { x: number; y: number }) => <g><circle cx={x} cy={y} r="9" fill="#fff" opacity="0.92" /><path d={`M${x - 3} ${y - 4.5}v9l7.500-4.500z`} fill="#2b2460" /></g>;

const PICTURES: Readonly<Record<StartGoal, () => ComponentChildren>> = {
  one: () => (
    <>
      {[0, 1, 2].map((n) => <Frame key={n} x={14} y={10 + n * 28} w={36} h={24} tone={n} />)}
      <Arrow x={62} />
      <Frame x={88} y={18} w={94} h={64} tone={1}><Play x={47} y={32} /></Frame>
    </>
  ),
  many: () => (
    <>
      {[0, 1, 2].map((n) => <Frame key={n} x={10} y={10 + n * 28} w={36} h={24} tone={n} />)}
      <Arrow x={54} />
      {Array.from({ length: 10 }, (_, n) => <Frame key={n} x={78 + (n % 5) * 23} y={n < 5 ? 14 : 53} w={19} h={34} tone={[0, 1, 2, 3, 4, 5, 2, 4, 1, 3][n] ?? 0} class="goal-step" />)}
    </>
  ),
  vary: () => (
    <>
      <Frame x={12} y={26} w={66} h={48} tone={0}><Play x={33} y={24} /></Frame>
      <Arrow x={86} />
      <Frame x={108} y={12} w={38} h={34} tone={0} class="goal-warm" />
      <Frame x={150} y={12} w={38} h={34} tone={0} class="goal-cool" />
      <g transform="translate(254 0) scale(-1 1)"><Frame x={108} y={54} w={38} h={34} tone={0} /></g>
      <Frame x={150} y={54} w={38} h={34} tone={0} class="goal-grey" />
    </>
  ),
  script: () => (
    <>
      {[62, 74, 54, 70, 40].map((w, n) => <rect key={n} x={14} y={20 + n * 13} width={w} height="6" rx="3" class="goal-line" />)}
      <Arrow x={98} />
      <Frame x={124} y={10} w={50} h={80} tone={3}>
        <rect x="7" y="54" width="36" height="6" rx="3" fill="#fff" /><rect x="7" y="54" width="15" height="6" rx="3" fill="#ffd400" class="goal-word" />
        <rect x="12" y="64" width="26" height="6" rx="3" fill="#fff" />
      </Frame>
    </>
  ),
  table: () => (
    <>
      <rect x="12" y="14" width="84" height="72" rx="4" class="goal-sheet" />
      <path d="M12 32h84M12 50h84M12 68h84M40 14v72M68 14v72" class="goal-grid" />
      {[0, 1, 2].map((n) => <circle key={n} cx={26} cy={41 + n * 18} r="4" fill={TONES[n]?.[0]} />)}
      {[0, 1, 2].map((n) => <rect key={n} x={46} y={39 + n * 18} width={[16, 12, 15][n]} height="4" rx="2" class="goal-line" />)}
      <Arrow x={104} />
      {[0, 1, 2].map((n) => <Frame key={n} x={128 + n * 21} y={32} w={18} h={36} tone={n} class="goal-step" />)}
    </>
  ),
  template: () => (
    <>
      <rect x="24" y="10" width="54" height="80" rx="5" class="goal-sheet dashed" />
      <rect x="33" y="20" width="36" height="7" rx="3" class="goal-line" /><rect x="33" y="36" width="36" height="30" rx="3" class="goal-line soft" /><rect x="39" y="74" width="24" height="6" rx="3" class="goal-line" />
      <Arrow x={88} />
      <Frame x={114} y={10} w={54} h={80} tone={2}>
        <rect x="9" y="10" width="36" height="9" rx="3" fill="#fff" /><rect x="15" y="64" width="24" height="7" rx="3" fill="#ffd400" />
      </Frame>
    </>
  ),
};

export function GoalPicture({ goal }: { goal: StartGoal }) {
  return <svg class="goal-picture" viewBox="0 0 200 100" aria-hidden="true" focusable="false">{PICTURES[goal]()}</svg>;
}
