import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** The number of a task or batch, which becomes a part of a path. */
export function numberParameter(this: IExecuteFunctions, name: 'taskNo' | 'batchNo', i: number): string {
	const value = String(this.getNodeParameter(name, i) ?? '').trim();
	if (!/^[A-Za-z0-9]+$/.test(value)) {
		const label = name === 'taskNo' ? 'Task Number' : 'Batch Number';
		throw new NodeOperationError(this.getNode(), `"${label}" is empty or not a number of clipmill`, {
			itemIndex: i,
			description: `Set it to the field ${name} of the item that the Create operation returned.`,
		});
	}
	return value;
}

/** The largest number of entries to return; undefined for all. */
export function limitOf(this: IExecuteFunctions, i: number): number | undefined {
	return this.getNodeParameter('returnAll', i) ? undefined : (this.getNodeParameter('limit', i) as number);
}

/** The time in ms at which waiting ends. */
export function deadline(this: IExecuteFunctions, i: number, started: number): number {
	return started + (this.getNodeParameter('timeout', i) as number) * 60_000;
}
