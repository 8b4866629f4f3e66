// The user's brand. Every change is saved.

import "../styles/brand.css";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { register, t, type Word } from "../i18n";
import { brandPageWords } from "../i18n/brand";
import { assets, type FileKind } from "../lib/assets";
import { brand, changeBrand, loadBrand, MAX_COLOURS, MAX_FONTS, save, saving, type Brand } from "../lib/brand";
import { captionStyles, loadVoiceCatalogues } from "../lib/catalogue";
import { fileName } from "../lib/upload-names";
import { cancelUpload, retryUpload, startUpload, uploads } from "../lib/uploads";
import { link } from "../router";
import { Button, ErrorBox, PageHead, Skeleton } from "../ui/basic";
import { ACCEPT, Dropzone, useFileInput } from "../ui/dropzone";
import { Icon, type IconName } from "../ui/icon";
import { Picker, pickOf } from "../ui/picker";
import { SignedImage } from "../ui/signed-image";
import { useLoad } from "../ui/use-load";

register(brandPageWords);

const NEW_COLOUR = "#5546E0";

const set = (fields: Partial<Brand>) => changeBrand((before) => ({ ...before, ...fields }));

export function BrandPage() {
  const loaded = useLoad((signal) => Promise.all([loadBrand({ signal, fresh: true }), loadVoiceCatalogues()]), []);
  const mine = brand.value;
  return (
    <>
      <PageHead title={t("brand.title")} lead={t("brand.lead")}>
        <a class="button primary" {...link("/new")}><Icon name="plus" /><span>{t("nav.new")}</span></a>
      </PageHead>
      {loaded.error !== null && <ErrorBox error={loaded.error} retry={loaded.reload} />}
      {mine === null ? loaded.loading && <Skeleton rows={3} height={180} /> : <Sections mine={mine} />}
    </>
  );
}

function Sections({ mine }: { mine: Brand }) {
  const { busy, error } = saving.value;
  return (
    <div class="brand-page">
      {error !== null && <ErrorBox error={error} retry={() => void save()} />}
      <p class="small muted brand-state" role="status">
        {busy ? t("brand.saving") : error === null && mine.updateTime !== null && <><Icon name="check" size={15} />{t("brand.saved")}</>}
      </p>
      <section class="panel brand-files">
        <BrandFile name="logo" url={mine.logo} accept={ACCEPT.picture} kinds={["picture"]} icon="image" />
        <BrandFile name="intro" url={mine.intro} accept={ACCEPT.fill} kinds={["video", "picture"]} icon="film" />
        <BrandFile name="outro" url={mine.outro} accept={ACCEPT.fill} kinds={["video", "picture"]} icon="film" />
      </section>
      <Panel word="brand.colours" hint="brand.colours.hint"><Colours colours={mine.colors} /></Panel>
      <Panel word="brand.fonts" hint="brand.fonts.hint"><Fonts fonts={mine.fonts} /></Panel>
      <Panel word="brand.captions">
        <fieldset class="field">
          <legend class="unseen">{t("brand.captions")}</legend>
          <Picker id="brand-captions" class="brand-styles" still picks={[{ name: "", title: t("captions.look.none") }, ...(captionStyles.value ?? []).map(pickOf)]}
            chosen={[mine.captionPreset ?? ""]} choose={(name) => set({ captionPreset: name === "" ? null : name })} />
        </fieldset>
      </Panel>
    </div>
  );
}

function Panel({ word, hint, children }: { word: Word; hint?: Word; children: ComponentChildren }) {
  return (
    <section class="panel">
      <header class="panel-head"><h2>{t(word)}</h2></header>
      {children}
      {hint && <p class="hint">{t(hint)}</p>}
    </section>
  );
}

/** The running uploads of this page, by field. They end in the brand even if the page is closed. */
function useUpload(done: (url: string) => void) {
  const [id, setId] = useState<string | null>(null);
  const job = id === null ? undefined : uploads.value.get(id);
  const start = (file: File) => setId(startUpload(file, ({ url }) => done(url)));
  const running = job && (
    <div class="brand-tools">
      <span class="break">{job.name}</span>
      {job.error === null ? <span class="small muted">{t(job.stalled ? "clips.stalled" : "brand.uploading", { percent: Math.floor((100 * job.sent) / Math.max(1, job.size)) })}</span>
        : <><span class="field-error" role="alert">{t("clips.failed")}</span><Button icon="refresh" onClick={() => retryUpload(job.id)}>{t("clips.retry")}</Button></>}
      <Button kind="quiet" icon="close" label={t("clips.remove", { name: job.name })} onClick={() => { cancelUpload(job.id); setId(null); }} />
    </div>
  );
  return { running, start };
}

type FileField = "logo" | "intro" | "outro";

function BrandFile({ name, url, accept, kinds, icon }: { name: FileField; url: string | null; accept: string; kinds: readonly FileKind[]; icon: IconName }) {
  const title = t(`brand.${name}`);
  const put = (next: string | null) => set({ [name]: next });
  const { running, start } = useUpload(put);
  const take = ([file]: File[]) => file !== undefined && start(file);
  const { input, choose } = useFileInput(accept, false, take, title);
  const pick = async () => {
    const { openLibrary } = await import("../ui/library-picker");
    const [file] = await openLibrary({ kind: kinds, several: false });
    if (file !== undefined) put(file.url);
  };
  const file = useLoad(async (signal) => (url === null ? null : assets.file(url, signal)), [url]);
  const tools = (
    <div class="brand-tools">
      <Button icon="upload" label={`${title}: ${t(url === null ? "file.choose" : "brand.replace")}`} onClick={choose}>{t(url === null ? "file.choose" : "brand.replace")}</Button>
      <Button icon="library" kind="quiet" label={`${title}: ${t("library.pick")}`} onClick={() => void pick()} />
      {url !== null && <Button kind="quiet" icon="trash" label={t("clips.remove", { name: title })} onClick={() => put(null)} />}
    </div>
  );
  return (
    <Dropzone take={take} class="brand-file">
      <h2>{title}</h2>
      {input}
      {running ?? (url === null ? <div class="brand-empty">{tools}</div> : (
        <>
          <span class="brand-image"><SignedImage path={file.value?.thumbnail ?? null} icon={icon} /></span>
          <span class="small break">{fileName(url)}</span>
          {tools}
        </>
      ))}
      <p class="hint">{t(`brand.${name}.hint`)}</p>
    </Dropzone>
  );
}

function Colours({ colours }: { colours: readonly string[] }) {
  const write = (next: readonly string[]) => set({ colors: [...next] });
  return (
    <>
      {colours.length > 0 && (
        <ul class="brand-colours">
          {colours.map((colour, place) => {
            const name = t("brand.colour.n", { n: place + 1 });
            const put = (value: string) => write(colours.map((one, at) => (at === place ? value.toUpperCase() : one)));
            return (
              <li key={place}>
                <input type="color" class="swatch" value={colour.slice(0, 7)} aria-label={name} onInput={(event) => put(event.currentTarget.value)} />
                <HexInput value={colour} label={`${name}: #RRGGBB`} put={put} />
                <Button kind="quiet" icon="close" label={t("clips.remove", { name })} onClick={() => write(colours.filter((_, at) => at !== place))} />
              </li>
            );
          })}
        </ul>
      )}
      {colours.length < MAX_COLOURS && <Button icon="plus" onClick={() => write([...colours, NEW_COLOUR])}>{t("brand.colours.add")}</Button>}
    </>
  );
}

/** Only complete colours are saved. */
function HexInput({ value, label, put }: { value: string; label: string; put: (value: string) => void }) {
  const [text, setText] = useState<string | null>(null);
  const type = (typed: string) => {
    setText(typed);
    if (/^#[0-9a-f]{6}$/i.test(typed)) put(typed);
  };
  return <input class="input mono" value={text ?? value} maxLength={7} spellcheck={false} aria-label={label} onInput={(event) => type(event.currentTarget.value.trim())} onBlur={() => setText(null)} />;
}

function Fonts({ fonts }: { fonts: readonly string[] }) {
  const { running, start } = useUpload((url) => changeBrand((before) => ({ ...before, fonts: [...before.fonts.filter((font) => font !== url), url].slice(0, MAX_FONTS) })));
  const take = ([file]: File[]) => file !== undefined && start(file);
  const { input, choose } = useFileInput(ACCEPT.font, false, take, t("brand.fonts.add"));
  return (
    <Dropzone take={take}>
      {input}
      {fonts.length > 0 && (
        <ul class="brand-fonts">
          {fonts.map((font) => (
            <li key={font} class="file-chip"><Icon name="text" /><span class="file-name">{fileName(font)}</span>
              <Button kind="quiet" icon="close" label={t("clips.remove", { name: fileName(font) })} onClick={() => set({ fonts: fonts.filter((one) => one !== font) })} /></li>
          ))}
        </ul>
      )}
      {running ?? (fonts.length < MAX_FONTS && <Button icon="plus" onClick={choose}>{t("brand.fonts.add")}</Button>)}
    </Dropzone>
  );
}
