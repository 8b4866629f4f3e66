import { t, type Word } from "../i18n";
import { language, setLanguage, setTheme, theme, type Theme } from "../lib/prefs";
import { Icon, type IconName } from "./icon";

const icons: Record<Theme, IconName> = { auto: "gauge", light: "sun", dark: "moon" };

export function Preferences() {
  return (
    <div class="preferences">
      <div class="segments small" role="group" aria-label={t("prefs.language")}>
        {(["en", "zh"] as const).map((tag) => (
          <button key={tag} type="button" lang={tag} class={language.value === tag ? "on" : ""} aria-pressed={language.value === tag} onClick={() => setLanguage(tag)}>
            {tag === "en" ? "English" : "中文"}
          </button>
        ))}
      </div>
      <div class="segments small" role="group" aria-label={t("prefs.theme")}>
        {(["auto", "light", "dark"] as const).map((name) => {
          const word = t(`prefs.theme.${name}` as Word);
          return (
            <button key={name} type="button" class={theme.value === name ? "on" : ""} aria-pressed={theme.value === name} aria-label={word} title={word} onClick={() => setTheme(name)}>
              <Icon name={icons[name]} size={16} />
            </button>
          );
        })}
      </div>
    </div>
  );
}
