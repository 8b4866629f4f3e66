// Texts of the notice on every page.

export const noticeWords = {
  "waiting.paused": ["Your tasks are waiting. The service is currently not starting new work.", "您的作品正在排队：服务暂停处理新的制作。"],
  "waiting.reason": ["Message from the operator: {reason}", "管理员说明：{reason}"],
  "waiting.keeps": ["They keep their place in the queue and start automatically.", "作品会保留排队位置，恢复后自动开始制作。"],
  "account.off": ["This account is switched off", "该账户已停用"],
} as const satisfies Record<string, readonly [string, string]>;
