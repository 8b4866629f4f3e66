// Texts of the notice on every page.

export const noticeWords = {
  "waiting.paused": ["Your tasks are waiting. The service is currently not starting new work.", "您的任务正在等待：服务暂时不开始新的处理。"],
  "waiting.reason": ["Message from the operator: {reason}", "运营方说明：{reason}"],
  "waiting.keeps": ["They keep their place in the queue and start automatically.", "任务会保留排队位置，并自动继续。"],
  "account.off": ["This account is switched off", "该账户已停用"],
} as const satisfies Record<string, readonly [string, string]>;
