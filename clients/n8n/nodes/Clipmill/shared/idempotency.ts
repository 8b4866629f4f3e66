import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/**
 * An ID for the job that this node submits for an item, the same at every retry.
 *
 * n8n gives an execution that is retried a new ID. The context of the node is stored with the execution and passed to
 * the retry, so it keeps the ID of the first attempt: items that were submitted before the failure are not paid twice.
 */
export function jobId(this: IExecuteFunctions, itemIndex: number | 'batch'): string {
	const context = this.getContext('node') as IDataObject;
	context.submittedBy ??= this.getExecutionId();
	// Installations of n8n that share a user of clipmill count their executions independently.
	const node = [this.getInstanceId(), this.getWorkflow().id, this.getNode().id].join('|');
	const hash = createHash('sha256').update(node).digest('hex').slice(0, 16);
	const run = Number(this.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
	return `n8n-${hash}-${String(context.submittedBy)}-${run}-${itemIndex}`;
}
