// A drop area for files, and a file input.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { filesBelow, foldersOf } from "../lib/dropped-files";
import { toast } from "./toast";

export function Dropzone({ take, children, class: extra = "" }: {
  take: (files: File[]) => void; children: ComponentChildren; class?: string;
}) {
  const [over, setOver] = useState(0);
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  return (
    <div class={`dropzone ${extra} ${over > 0 ? "over" : ""}`}
      onDragEnter={(event) => carriesFiles(event) && (event.preventDefault(), setOver((n) => n + 1))}
      onDragLeave={(event) => carriesFiles(event) && setOver((n) => Math.max(0, n - 1))}
      onDragOver={(event) => carriesFiles(event) && event.preventDefault()}
      onDropCapture={() => setOver(0)}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        // A dialog waits for an answer.
        const dialog = document.querySelector("dialog[open]");
        if (event.dataTransfer === null || (dialog !== null && !dialog.contains(event.currentTarget))) return;
        const folders = foldersOf(event.dataTransfer);
        if (folders === null) take([...event.dataTransfer.files]);
        else void filesBelow(folders).then(take, () => toast("bad", t("dropped.unreadable")));
      }}>
      {children}
    </div>
  );
}

/** Fingers choose files instead of dropping them. */
export const isTouched = (): boolean => matchMedia("(pointer: coarse)").matches;

/** A hidden file input; `choose` opens it. */
export function useFileInput(accept: string, multiple: boolean, take: (files: File[]) => void, label: string) {
  const ref = useRef<HTMLInputElement>(null);
  const input = (
    <input ref={ref} class="file-input" type="file" accept={accept} multiple={multiple} aria-label={label} tabIndex={-1}
      onChange={(event) => {
        take([...(event.currentTarget.files ?? [])]);
        event.currentTarget.value = "";
      }} />
  );
  return { input, choose: () => ref.current?.click() };
}

export const ACCEPT = {
  video: "video/*,.mkv,.flv,.ts,.mpg,.gif",
  sound: "audio/*,video/*",
  subtitle: ".srt,.vtt",
  picture: "image/*",
  font: ".ttf,.otf,.ttc",
  /** Videos and animated images over the clips. */
  layer: "video/*,.mkv,.flv,.ts,.mpg,image/gif,image/webp,image/png,image/apng",
  fill: "video/*,image/*,.mkv,.flv,.ts,.mpg",
  /** Everything that a task can use. */
  any: "video/*,audio/*,image/*,.mkv,.flv,.ts,.mpg,.srt,.vtt,.csv,.tsv,.xlsx",
} as const;
