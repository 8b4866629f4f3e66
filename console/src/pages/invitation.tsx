// Accepting an invitation: one button, because opening a link must not use it up.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { ApiFailure } from "../lib/api";
import { balance, who } from "../lib/balance";
import { invitationCode, redeem } from "../lib/invitation";
import { apiKey, discardUserData, signIn, signOut } from "../lib/session";
import { go } from "../router";
import { Button, explain, Notice } from "../ui/basic";
import { Icon, Mark } from "../ui/icon";
import { Preferences } from "../ui/preferences";
import { toast } from "../ui/toast";

const leave = () => { invitationCode.value = null; };

/** Staying signed in is preselected, because the link works once and the user never sees the key. */
export function Invitation({ code }: { code: string }) {
  const [stay, setStay] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isSignedIn = apiKey.value !== null;
  const isInvalid = error instanceof ApiFailure && error.status === 404;
  const accept = async () => {
    setBusy(true);
    setError(null);
    try {
      const { apiKey: key, userName } = await redeem(code);
      if (isSignedIn) {
        signOut();
        discardUserData();
        balance.value = null;
      }
      signIn(key, stay, userName);
      leave();
      go("/", { replace: true, heading: true });
      toast("good", t("invitation.welcome", { name: userName }));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <div class="signin">
      <div class="signin-prefs"><Preferences /></div>
      <main class="signin-card" id="main">
        <div class="brand large"><Mark size={44} /><span>clipmill</span></div>
        <h1>{t(isInvalid ? "invitation.invalid" : "invitation.title")}</h1>
        <p class="lead" role={isInvalid ? "alert" : undefined}>{t(isInvalid ? "invitation.invalid.lead" : "invitation.lead")}</p>
        {isInvalid ? <Button kind="primary" class="large" onClick={leave}>{t(isSignedIn ? "invitation.back" : "invitation.key")}</Button> : (
          <>
            {isSignedIn && <Notice tone="warn"><p>{t("invitation.other", { name: who.value })}</p></Notice>}
            <label class="check"><input type="checkbox" checked={stay} onChange={(event) => setStay(event.currentTarget.checked)} />
              <span>{t("signin.stay")}</span></label>
            <p class="hint">{t(stay ? "signin.stay.hint" : "invitation.once.hint")}</p>
            {error !== null && <p class="field-error" role="alert"><Icon name="error" size={15} /><span>{explain(error)}</span></p>}
            <Button kind="primary" class="large" busy={busy} onClick={() => void accept()}>{t(busy ? "invitation.busy" : "invitation.go")}</Button>
            {isSignedIn && <Button class="large" onClick={leave}>{t("invitation.stay")}</Button>}
          </>
        )}
      </main>
      <footer class="signin-foot"><a href="/docs">{t("nav.docs")}</a></footer>
    </div>
  );
}
