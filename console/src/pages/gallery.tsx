// Animated previews of effects, looks and transitions. They can be paused, and do not play if the user prefers reduced motion.

import { useEffect, useRef, useState } from "preact/hooks";
import { both, t } from "../i18n";
import { effects, loadCatalogues, looks, previewImage, transitions } from "../lib/catalogue";
import type { CatalogueEntry } from "../lib/types";
import { go } from "../router";
import { Button, Empty, ErrorBox, PageHead, Skeleton, Tabs } from "../ui/basic";
import { useLoad } from "../ui/use-load";

type Shelf = "effects" | "looks" | "transitions";

const SHELVES = { effects, looks, transitions };

export function Gallery() {
  const loaded = useLoad(() => loadCatalogues(), []);
  const [shelf, setShelf] = useState<Shelf>("effects");
  const [text, setText] = useState("");
  const [playing, setPlaying] = useState(() => !matchMedia("(prefers-reduced-motion: reduce)").matches);
  const list = SHELVES[shelf].value ?? [];
  const query = text.trim().toLowerCase();
  const matches = list.filter((entry) => [entry.name, ...Object.values(entry.title), ...Object.values(entry.description)]
    .some((words) => words.toLowerCase().includes(query)));
  return (
    <>
      <PageHead title={t("gallery.title")} lead={t("gallery.lead")} />
      <div class="row between wrap">
        <Tabs label={t("gallery.title")} value={shelf} choose={setShelf}
          tabs={[{ id: "effects", title: t("gallery.effects") }, { id: "looks", title: t("gallery.looks") },
            { id: "transitions", title: t("gallery.transitions") }]} />
        <div class="filters">
          <input class="input" type="search" value={text} placeholder={t("gallery.search")} aria-label={t("gallery.search")}
            onInput={(event) => setText(event.currentTarget.value)} />
          {shelf !== "looks" && <Button icon={playing ? "pause" : "play"} aria-pressed={!playing} onClick={() => setPlaying(!playing)}>
            {t(playing ? "gallery.pause" : "gallery.play")}</Button>}
        </div>
      </div>
      {loaded.error !== null && <ErrorBox error={loaded.error} retry={loaded.reload} />}
      {effects.value === null && loaded.loading && <Skeleton rows={3} height={180} />}
      {effects.value !== null && matches.length === 0 && <Empty icon="search" title={t("gallery.none", { text })} />}
      <div role="tabpanel" aria-labelledby={`tab-${shelf}`}>
        <ul class="gallery">{matches.map((entry) => <Entry key={entry.name} entry={entry} shelf={shelf} playing={playing} />)}</ul>
      </div>
    </>
  );
}

function Entry({ entry, shelf, playing }: { entry: CatalogueEntry; shelf: Shelf; playing: boolean }) {
  return (
    <li class="gallery-card">
      <Picture source={previewImage(entry)} playing={playing || shelf === "looks"} alt={both(entry.description)} />
      <div class="gallery-words">
        <h2>{both(entry.title)}</h2>
        <p>{both(entry.description)}</p>
        <div class="row between">
          <code>{entry.name}</code>
          {shelf === "effects"
            ? <Button kind="quiet" icon="plus" label={`${t("gallery.use")}: ${both(entry.title)}`} onClick={() => go(`/new/videoDeduplication?effect=${entry.name}`)} />
            : null}
        </div>
      </div>
    </li>
  );
}

/** An animated image cannot be paused, so a drawn frame covers it. */
function Picture({ source, playing, alt }: { source: string; playing: boolean; alt: string }) {
  const image = useRef<HTMLImageElement>(null);
  const still = useRef<HTMLCanvasElement>(null);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const [from, to] = [image.current, still.current];
    if (playing || !ready || from === null || to === null) return;
    let unmounted = false;
    draw(to, from, from.naturalWidth, from.naturalHeight);
    void middleFrame(source).then((frame) => {
      if (frame !== null && !unmounted) draw(to, frame, frame.displayWidth, frame.displayHeight);
      frame?.close();
    });
    return () => { unmounted = true; };
  }, [playing, ready, source]);
  return (
    <div class={`gallery-picture ${playing ? "" : "still"}`}>
      <img ref={image} src={source} alt={alt} loading="lazy" onLoad={() => setReady(true)} />
      <canvas ref={still} aria-hidden="true" />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, picture: CanvasImageSource, width: number, height: number): void {
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.drawImage(picture, 0, 0, width, height);
}

/** The middle frame, because an effect may not have started in the first one. Null if the browser cannot decode frames. */
async function middleFrame(source: string): Promise<VideoFrame | null> {
  if (!("ImageDecoder" in globalThis)) return null;
  try {
    const { body } = await fetch(source);
    if (body === null) return null;
    const decoder = new ImageDecoder({ data: body, type: "image/webp" });
    await decoder.completed;
    const frames = decoder.tracks.selectedTrack?.frameCount ?? 1;
    const { image } = await decoder.decode({ frameIndex: Math.floor(frames / 2) });
    decoder.close();
    return image;
  } catch {
    return null;
  }
}
