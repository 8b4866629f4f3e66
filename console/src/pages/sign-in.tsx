// Signing in. The key is checked before it is stored.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { ACCOUNT_OFF, api, ApiFailure } from "../lib/api";
import { sessionEnded, signIn, staysSignedIn } from "../lib/session";
import { Button, explain, Notice } from "../ui/basic";
import { Icon, Mark } from "../ui/icon";
import { Preferences } from "../ui/preferences";

export function SignIn() {
  const [key, setKey] = useState("");
  const [stay, setStay] = useState(staysSignedIn.value);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const pastedKey = keyIn(key);
    if (pastedKey === "") return setError(t("signin.empty"));
    setBusy(true);
    setError(await refusal(pastedKey, stay));
    setBusy(false);
  };
  return (
    <div class="signin">
      <div class="signin-prefs"><Preferences /></div>
      <main class="signin-card" id="main">
        <div class="brand large"><Mark size={44} /><span>clipmill</span></div>
        <h1>{t("signin.title")}</h1>
        <p class="lead">{t("signin.lead")}</p>
        {sessionEnded.value && <Notice tone="warn">{t("signin.ended")}</Notice>}
        <form onSubmit={submit} noValidate>
          <div class={`field ${error ? "wrong" : ""}`}>
            <div class="field-head"><label for="key">{t("signin.key")}</label></div>
            <input id="key" class="input large mono" type="password" autocomplete="off" spellcheck={false} value={key} placeholder="cm_live_…" autoFocus
              aria-describedby={error ? "key-error" : undefined} aria-invalid={error !== null} onInput={(event) => setKey(event.currentTarget.value)} />
            {error && <p class="field-error" id="key-error" role="alert"><Icon name="error" size={15} /><span>{error}</span></p>}
          </div>
          <label class="check"><input type="checkbox" checked={stay} onChange={(event) => setStay(event.currentTarget.checked)} />
            <span>{t("signin.stay")}</span></label>
          <p class="hint">{t(stay ? "signin.stay.hint" : "signin.key.hint")}</p>
          <Button kind="primary" type="submit" class="large" busy={busy}>{t(busy ? "signin.busy" : "signin.go")}</Button>
        </form>
        <p class="hint">{t("signin.where")}</p>
      </main>
      <footer class="signin-foot"><a href="/docs">{t("nav.docs")}</a></footer>
    </div>
  );
}

/** Extracts the key from the pasted text, which can be a line of the file `first-key`. */
export function keyIn(text: string): string {
  const value = text.trim().replace(/^(export\s+)?CLIPMILL_API_KEY\s*=\s*/i, "").replace(/CLIPMILL_WEBHOOK_SECRET.*$/s, "").trim();
  return value.replace(/^(["'])(.*)\1$/s, "$2").trim();
}

/** Returns null if the key is valid. A key without the scope `read` is valid too. */
async function refusal(key: string, stay: boolean): Promise<string | null> {
  try {
    await api.balance({ key });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 403 || error.code === ACCOUNT_OFF) {
      return error instanceof ApiFailure && error.status === 401 ? t("signin.wrong") : explain(error);
    }
  }
  signIn(key, stay);
  return null;
}
