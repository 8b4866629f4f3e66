// Choice of a caption font: one of the catalogue, or a font file that the user uploads.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { both, t } from "../../i18n";
import { label } from "../../i18n/fields";
import { api } from "../../lib/api";
import { nameOf } from "../../lib/media";
import { setIn } from "../../lib/pointer";
import { cancelUpload, uploads } from "../../lib/uploads";
import { Button } from "../../ui/basic";
import { ACCEPT, useFileInput } from "../../ui/dropzone";
import { openId, upload } from "./drafts";
import { described, Field, fieldId } from "./fields";
import { UploadChip } from "./files";
import { scopedPointer } from "./option-scope";
import { change, draft, setAt, valueAt } from "./state";

type Font = Awaited<ReturnType<typeof api.fonts>>["list"][number];

const fonts = signal<readonly Font[] | null>(null);

export function FontField({ pointer }: { pointer: string }) {
  useEffect(() => {
    if (fonts.value === null) void api.fonts().then(({ list }) => (fonts.value = list), () => undefined);
  }, []);
  const at = scopedPointer(pointer);
  const id = draft.value._uploads?.[at];
  const note = (job: string | undefined) => change((before) => setIn(before, ["_uploads", at], job));
  const { input, choose } = useFileInput(ACCEPT.font, false, ([file]) => file !== undefined && note(upload(file, openId.value)), `${label(pointer)}: ${t("font.own")}`);
  const running = id === undefined ? undefined : uploads.value.get(id);
  const value = String(valueAt(pointer) ?? "");
  const list = fonts.value ?? [];
  const drop = () => {
    if (id !== undefined) cancelUpload(id);
    note(undefined);
  };
  return (
    <Field pointer={pointer}>
      <div class="font-field">
        <select id={fieldId(pointer)} class="input" value={value} {...described(pointer, false)}
          onChange={(event) => setAt(pointer, event.currentTarget.value || undefined)}>
          <option value="">{t("options.usual")}</option>
          {value !== "" && !list.some((font) => font.name === value) && <option value={value}>{value.includes("://") ? nameOf(value) : value}</option>}
          {list.map((font) => <option key={font.name} value={font.name}>{both(font.title)}</option>)}
        </select>
        {input}
        {running === undefined && <Button kind="quiet" icon="upload" label={t("font.own")} onClick={choose} />}
      </div>
      {running !== undefined && <UploadChip job={running} icon="text" remove={drop} />}
    </Field>
  );
}
