// The options of each kind of task, in sections that fold.

import type { ComponentChildren } from "preact";
import { t, type Word } from "../../i18n";
import { Icon, type IconName } from "../../ui/icon";
import { SWITCHES } from "../../lib/draft";
import { errorsAt, kind, valueAt } from "./state";
import { ChoiceField, ColourField, NumberField, OptionalNumber, RangeField, SelectField, SwitchField, TextField, Toggled } from "./fields";
import { FileField, FileListField } from "./files";
import { EffectPicker, LookStrip } from "./effect";

const O = "/params/options";

/** Whether somebody has chosen anything here. */
function chosen(pointer: string): boolean {
  const value = valueAt(pointer);
  const switched = SWITCHES[pointer.split("/").at(-1) ?? ""];
  if (switched !== undefined) return (value as Record<string, unknown> | undefined)?.[switched] === true;
  if (value !== null && typeof value === "object") return Object.keys(value).length > 0;
  return value !== undefined && value !== false;
}

function Section({ word, icon, owns, open = false, children }: {
  word: Word; icon: IconName; owns: readonly string[]; open?: boolean; children: ComponentChildren;
}) {
  const on = owns.filter(chosen).length;
  const wrong = [...errorsAt.value.keys()].some((path) => owns.some((own) => path === own || path.startsWith(own + "/")));
  return (
    <details class={`section ${wrong ? "wrong" : ""}`} open={open || wrong}>
      <summary>
        <Icon name={icon} />
        <span class="section-title">{t(word)}</span>
        {wrong ? <span class="badge bad"><Icon name="error" size={14} /></span> : on > 0 && <span class="count">{t("options.on", { n: on })}</span>}
        <span class="fold"><Icon name="down" /></span>
      </summary>
      <div class="section-body">{children}</div>
    </details>
  );
}

export function Options() {
  return kind.value === "videoDeduplication" ? <VaryOptions /> : <MixOptions />;
}

function VaryOptions() {
  return (
    <>
      <Section word="section.colour" icon="palette" open
        owns={[`${O}/isFilter`, `${O}/colourMixing`, `${O}/hueMixing`, `${O}/colorBalance`]}>
        <SwitchField pointer={`${O}/isFilter`} />
        {valueAt(`${O}/isFilter`) === true && <LookStrip />}
        <Toggled option="colourMixing" field="isMixing">
          {["brightness", "contrast", "saturation", "gamma"].map((name) => (
            <RangeField key={name} low={`${O}/colourMixing/${name}Min`} high={`${O}/colourMixing/${name}Max`} words={`${O}/colourMixing/${name}`} />
          ))}
        </Toggled>
        <Toggled option="hueMixing" field="isMixing">
          <div class="grid-fields">{["h", "s", "b"].map((name) => <NumberField key={name} pointer={`${O}/hueMixing/${name}`} />)}</div>
        </Toggled>
        <Toggled option="colorBalance" field="isBalance">
          <div class="grid-fields">
            {["rs", "gs", "bs", "rm", "gm", "bm", "rh", "gh", "bh"].map((name) => <NumberField key={name} pointer={`${O}/colorBalance/${name}`} />)}
          </div>
        </Toggled>
      </Section>
      <Section word="section.geometry" icon="refresh" owns={[`${O}/isMirror`, `${O}/rotation`, `${O}/zoom`]}>
        <SwitchField pointer={`${O}/isMirror`} />
        <Toggled option="rotation" field="isRotate">
          <ChoiceField pointer={`${O}/rotation/direction`} />
          <RangeField low={`${O}/rotation/minAngle`} high={`${O}/rotation/maxAngle`} words={`${O}/rotation/range`} />
        </Toggled>
        <Toggled option="zoom" field="isZoom">
          <RangeField low={`${O}/zoom/minScale`} high={`${O}/zoom/maxScale`} words={`${O}/zoom/range`} />
        </Toggled>
      </Section>
      <Section word="section.time" icon="clock" owns={[`${O}/frameExtraction`, `${O}/speed`, `${O}/fps`]}>
        <Toggled option="speed" field="isSpeed">
          <RangeField low={`${O}/speed/start`} high={`${O}/speed/end`} words={`${O}/speed/range`} />
        </Toggled>
        <Toggled option="frameExtraction" field="isExtract">
          <RangeField low={`${O}/frameExtraction/start`} high={`${O}/frameExtraction/end`} words={`${O}/frameExtraction/range`} />
        </Toggled>
        <ChoiceField pointer={`${O}/fps`} />
      </Section>
      <Section word="section.layers" icon="image" owns={[`${O}/PIP`, `${O}/picMask`, `${O}/videoMask`]}>
        <Toggled option="PIP" field="isPIP">
          <NumberField pointer={`${O}/PIP/padding`} />
          <ChoiceField pointer={`${O}/PIP/fillMode`} values={[1, 2]} />
          <FileField pointer={`${O}/PIP/fillVideoPath`} accept="fill" />
        </Toggled>
        <Mask option="picMask" files="picFiles" />
        <Mask option="videoMask" files="videoFiles" />
      </Section>
      <Section word="section.effect" icon="sparkle" owns={[`${O}/effect`]}><EffectPicker /></Section>
      <More />
    </>
  );
}

function Mask({ option, files }: { option: "picMask" | "videoMask"; files: "picFiles" | "videoFiles" }) {
  return (
    <Toggled option={option} field="isMask">
      <FileListField pointer={`${O}/${option}/${files}`} accept={option === "picMask" ? "picture" : "video"} />
      <div class="grid-fields">
        <NumberField pointer={`${O}/${option}/layerCount`} />
        <NumberField pointer={`${O}/${option}/trans`} />
      </div>
    </Toggled>
  );
}

function MixOptions() {
  const pro = kind.value === "proVideoMix";
  const shortest = pro ? `${O}/isShortest` : "/params/isShortest";
  const behind = (valueAt(`${O}/resolutionMode`) ?? "none") === "none";
  return (
    <>
      <Section word="section.picture" icon="film" open
        owns={[`${O}/resolution`, `${O}/resolutionMode`, `${O}/background`, `${O}/fps`, shortest]}>
        <div class="grid-fields">
          <SelectField pointer={`${O}/resolution`} />
          <ChoiceField pointer={`${O}/fps`} />
        </div>
        <ChoiceField pointer={`${O}/resolutionMode`} />
        {behind && <ChoiceField pointer={`${O}/background`} />}
        <SwitchField pointer={shortest} />
      </Section>
      <Section word="section.sound" icon="music"
        owns={[`${O}/originalVolume`, `${O}/backgroundMusic`, `${O}/audio`, `${O}/ducking`, `${O}/loudness`, "/params/audioMode"]}>
        <NumberField pointer={`${O}/originalVolume`} />
        {pro && <ChoiceField pointer="/params/audioMode" />}
        <Track name="backgroundMusic" />
        <Track name="audio" />
        <SwitchField pointer={`${O}/ducking`} />
        <OptionalNumber pointer={`${O}/loudness`} />
      </Section>
      <Section word="section.subtitle" icon="text" owns={[`${O}/subtitle`]}>
        <FileField pointer={`${O}/subtitle/url`} accept="subtitle" />
        {valueAt(`${O}/subtitle/url`) !== undefined && <SubtitleStyle />}
      </Section>
      <More />
    </>
  );
}

function Track({ name }: { name: "backgroundMusic" | "audio" }) {
  const at = `${O}/${name}`;
  const given = valueAt(`${at}/url`) !== undefined;
  return (
    <div class={`toggled ${given ? "on" : ""}`}>
      <FileField pointer={`${at}/url`} accept="sound" />
      {given && (
        <div class="grid-fields">
          <NumberField pointer={`${at}/volume`} />
          <NumberField pointer={`${at}/fadeIn`} />
          <NumberField pointer={`${at}/fadeOut`} />
          <OptionalNumber pointer={`${at}/duration`} />
        </div>
      )}
    </div>
  );
}

function SubtitleStyle() {
  const at = `${O}/subtitle/style`;
  return (
    <div class="grid-fields">
      <NumberField pointer={`${at}/fontSize`} />
      <NumberField pointer={`${at}/magnification`} />
      <NumberField pointer={`${at}/bottom`} />
      <ColourField pointer={`${at}/fontColor`} />
      <ColourField pointer={`${at}/outlineColor`} />
      <ColourField pointer={`${at}/backColor`} />
    </div>
  );
}

function More() {
  return (
    <Section word="section.more" icon="settings" owns={["/params/seed", "/callbackUrl", "/clientTaskId"]}>
      <div class="grid-fields">
        <OptionalNumber pointer="/params/seed" />
        <TextField pointer="/clientTaskId" />
      </div>
      <TextField pointer="/callbackUrl" placeholder="https://" />
    </Section>
  );
}
