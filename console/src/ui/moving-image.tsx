// An animated image that is still until the pointer is over its label or the control in it has the focus (see
// compose.css). With reduced motion it stays still.

import { useRef } from "preact/hooks";
import { useVisible } from "./use-visible";

export function MovingImage({ src, class: extra }: { src: string; class: string }) {
  const still = useRef<HTMLCanvasElement>(null);
  const { ref, visible } = useVisible<HTMLSpanElement>();
  /** The first frame. */
  const draw = (image: HTMLImageElement) => {
    const canvas = still.current;
    if (canvas === null) return;
    Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
  };
  return (
    <span ref={ref} class={`${extra} moving-image`}>
      <canvas ref={still} aria-hidden="true" />
      {visible && <img src={src} alt="" onLoad={(event) => draw(event.currentTarget)} />}
    </span>
  );
}
