// Choice of a caption font.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { both, t } from "../../i18n";
import { api } from "../../lib/api";
import { described, Field, fieldId } from "./fields";
import { setAt, valueAt } from "./state";

type Font = Awaited<ReturnType<typeof api.fonts>>["list"][number];

const fonts = signal<readonly Font[] | null>(null);

export function FontField({ pointer }: { pointer: string }) {
  useEffect(() => {
    if (fonts.value === null) void api.fonts().then(({ list }) => (fonts.value = list), () => undefined);
  }, []);
  const value = String(valueAt(pointer) ?? "");
  const list = fonts.value ?? [];
  return (
    <Field pointer={pointer}>
      <select id={fieldId(pointer)} class="input" value={value} {...described(pointer, false)}
        onChange={(event) => setAt(pointer, event.currentTarget.value || undefined)}>
        <option value="">{t("options.usual")}</option>
        {value !== "" && !list.some((font) => font.name === value) && <option value={value}>{value}</option>}
        {list.map((font) => <option key={font.name} value={font.name}>{both(font.title)}</option>)}
      </select>
    </Field>
  );
}
