/** Icons as SVG paths: `<Icon name="copy" />`. Screen readers skip them, so each needs a label. */
const shapes = {
  play: "M5 3.5v9l7.5-4.5z",
  pause: "M5 3.5v9M11 3.5v9",
  previous: "M12 3.5v9L5.5 8zM4 3.5v9",
  next: "M4 3.5v9L10.5 8zM12 3.5v9",
  copy: "M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6",
  link: "M6.5 9.5l3-3M7 4.5l1.4-1.4a2.9 2.9 0 0 1 4.5 4.5L11.5 9M9 11.5l-1.4 1.4a2.9 2.9 0 0 1-4.5-4.5L4.5 7",
  check: "M3 8.5l3.5 3.5L13 4.5",
  close: "M4 4l8 8M12 4l-8 8",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9zM10.5 10.5L14 14",
  present: "M1.5 2.5h13v8h-13zM8 10.5V14M5 14h6",
  help: "M6 6a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M8 11.8v.1",
  auto: "M8 2.5a5.5 5.5 0 1 1 0 11zM8 2.5a5.5 5.5 0 0 0 0 11",
  light:
    "M8 5.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 0 1 0-5.6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7",
  dark: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  eye: "M1.5 8S4 3.5 8 3.5S14.5 8 14.5 8S12 12.5 8 12.5S1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 1 0 3.6a1.8 1.8 0 0 1 0-3.6z",
  up: "M4 10l4-4l4 4",
  down: "M4 6l4 4l4-4",
  edit: "M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9 4.7L11.3 7",
  plus: "M8 3.5v9M3.5 8h9",
  warning: "M8 2.5l6 11H2zM8 6.5v3.5M8 11.8v.1",
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={name === "play" ? "icon filled" : "icon"} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
