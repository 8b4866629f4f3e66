// Texts about templates and batches on other pages.

export const templateWords = {
  "nav.batches": ["Batches and templates", "批次与模板"],
  "template.save": ["Save as template", "保存为模板"],
} as const satisfies Record<string, readonly [string, string]>;
