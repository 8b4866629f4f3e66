// The scopes of a new key or invitation.

import { t } from "../../i18n";
import { SCOPES } from "../../lib/admin";

export function ScopeChoice({ scopes, set }: { scopes: readonly string[]; set: (scopes: readonly string[]) => void }) {
  const toggle = (scope: string) => set(SCOPES.filter((one) => (one === scope ? !scopes.includes(one) : scopes.includes(one))));
  return (
    <fieldset class="plain-set"><legend>{t("keys.scopes")}</legend>
      {SCOPES.map((scope) => (
        <label key={scope} class="check"><input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} /><span>{t(`keys.scope.${scope}`)}</span></label>
      ))}
      {scopes.length === 0 && <p class="muted small">{t("keys.scope.none")}</p>}
    </fieldset>
  );
}
