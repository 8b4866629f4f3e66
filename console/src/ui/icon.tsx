// Line icons, 24 by 24. They are hidden from screen readers, which read the label of the control.

const paths = {
  tasks: "M4 6h2M4 12h2M4 18h2M9.5 6H20M9.5 12H20M9.5 18H20",
  plus: "M12 5v14M5 12h14",
  coin: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M9 12h6M12 9v6",
  sparkle: "M12 4l1.7 4.8L18.5 10.5l-4.8 1.7L12 17l-1.7-4.8L5.5 10.5l4.8-1.7zM19 16v4M17 18h4",
  gauge: "M4.5 17a8.5 8.5 0 1 1 15 0M12 14l3.5-4.5M12 14h.01",
  book: "M5 5.5A2.5 2.5 0 0 1 7.5 3H19v15H7.5A2.5 2.5 0 0 0 5 20.5zM5 20.5A2.5 2.5 0 0 0 7.5 21H19v-3",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  out: "M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M10.5 12H20M17 8.5l3.5 3.5L17 15.5",
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M9 6v12M15 6v12",
  download: "M12 4v11M7.5 11l4.5 4.5L16.5 11M5 20h14",
  upload: "M12 16V5M7.5 9L12 4.5 16.5 9M5 20h14",
  link: "M10 14a4 4 0 0 0 6 .4l2.6-2.6a4 4 0 0 0-5.7-5.7L11.5 7.500M14 10a4 4 0 0 0-6-.4l-2.6 2.600a4 4 0 0 0 5.700 5.700L12.500 16.500",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.500l4.500 4.500L19 7.500",
  warning: "M12 4.500L21 19.500H3zM12 10v4.500M12 17h.01",
  error: "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17M12 8v5M12 16h.01",
  info: "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17M12 11v5M12 8h.01",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  up: "M6 14.500L12 8.500l6 6",
  down: "M6 9.500l6 6 6-6",
  left: "M14.500 6l-6 6 6 6",
  right: "M9.500 6l6 6-6 6",
  copy: "M9 9h10v11H9zM5 15V4h10",
  code: "M8.500 7L4 12l4.500 5M15.500 7L20 12l-4.500 5",
  trash: "M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7M10.500 11v5M13.500 11v5",
  refresh: "M19 12a7 7 0 1 1-2.100-5M19.500 4v4h-4",
  clock: "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17M12 7.500V12l3 2",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9.500h4M4 14.500h4M16 9.500h4M16 14.500h4",
  scenes: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
  shuffle: "M4 7h3.500L16 17h4M4 17h3.500l2.300-2.800M13.500 9.500L16 7h4M17.500 4.500L20 7l-2.500 2.500M17.500 14.500L20 17l-2.500 2.500",
  search: "M10.500 4.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 3v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1 1M17.400 17.400l1 1M5.600 18.400l1-1M17.400 6.600l1-1",
  moon: "M19.500 14.500A8 8 0 1 1 9.500 4.500a6.500 6.500 0 0 0 10 10z",
  music: "M9 18V6l10-2v11.500M9 18a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0M19 15.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0",
  mic: "M12 4a2.500 2.500 0 0 0-2.500 2.500v5a2.500 2.500 0 0 0 5 0v-5A2.500 2.500 0 0 0 12 4M6.500 11.500a5.500 5.500 0 0 0 11 0M12 17v3.500",
  text: "M5 6h14M12 6v13M9 19h6",
  image: "M4 5h16v14H4zM4 16l4.500-4.500 4 4L15.500 12.500 20 17M15 9h.01",
  send: "M4 12l16-7.500-5 16-3.500-6.500z",
  undo: "M4.500 8.500h9.500a5 5 0 0 1 0 10H9M8 5L4.500 8.500 8 12",
  forth: "M19.500 8.500H10a5 5 0 0 0 0 10h5M16 5l3.500 3.500L16 12",
  redo: "M5 12a7 7 0 1 0 2.100-5M4.500 4v4h4",
  sound: "M5 10v4h3l4 3.500v-11L8 10zM15.500 9.500a4 4 0 0 1 0 5M18 7a7.500 7.500 0 0 1 0 10",
  palette: "M12 4a8 8 0 1 0 0 16c1.500 0 1.800-1 1.300-1.900-.6-1.100 0-2.600 1.500-2.600H17a3 3 0 0 0 3-3C20 7.500 16.500 4 12 4M8 11h.01M11 8h.01M15 8.500h.01",
  person: "M12 4.500a3.700 3.700 0 1 0 0 7.400 3.700 3.700 0 0 0 0-7.400M5 20a7 7 0 0 1 14 0",
  library: "M4 6.500h6l2 2.500h8V19H4zM9 12.500h6M9 15.500h4",
  reels: "M4 4.500h7v7H4zM13 4.500h7v7h-7zM4 13.500h7v6H4zM13 13.500h7v6h-7zM6.500 6.500l2.500 1.500-2.500 1.500z",
  share: "M7 12l10-6M7 12l10 6M6 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4M18 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4M18 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
  compare: "M4 5h7v14H4zM13 5h7v14h-7z",
  heart: "M12 19.500S4 15 4 9.500a4 4 0 0 1 8-1 4 4 0 0 1 8 1c0 5.500-8 10-8 10",
  table: "M4 5h16v14H4zM4 10h16M4 14.500h16M10 5v14",
  edit: "M4.500 19.500l1-4.500L16 4.500l3.500 3.500L9 18.500zM13.500 7l3.500 3.500",
  more: "M5.500 12h.01M12 12h.01M18.500 12h.01",
  server: "M4 5h16v6H4zM4 13h16v6H4zM7.500 8h.01M7.500 16h.01",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} fill="none" stroke="currentColor"
      stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** The logo. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg class="mark" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8.5" class="mark-ground" />
      <path d="M16 5.500l9.100 5.250v10.500L16 26.500l-9.100-5.250v-10.500z" fill="none" stroke="#fff" stroke-width="2.200" stroke-linejoin="round" />
      <path d="M13.400 11.900v8.200l6.800-4.100z" fill="#fff" />
    </svg>
  );
}
