// The first page: what to make, and unfinished drafts.

import { t } from "../../i18n";
import { link } from "../../router";
import { PageHead } from "../../ui/basic";
import { Drafts } from "./drafts";
import { GoalPicture, type StartGoal } from "./goal-picture";

const GOALS: readonly StartGoal[] = ["one", "many", "vary", "script", "table", "template"];

export function Home() {
  return (
    <>
      <PageHead title={t("home.title")} />
      <ul class="goals">
        {GOALS.map((goal) => (
          <li key={goal}>
            <a class="goal-card" {...link(`/new/${goal}`)}>
              <GoalPicture goal={goal} />
              <span class="goal-words"><strong>{t(`goal.${goal}`)}</strong><span>{t(`goal.${goal}.lead`)}</span></span>
            </a>
          </li>
        ))}
      </ul>
      <Drafts />
    </>
  );
}
