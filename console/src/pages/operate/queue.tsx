export function QueuePage() { return null; }
