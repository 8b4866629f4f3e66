import type { IDataObject, IExecuteFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';
import { apiRequest } from './transport';

/** This state (completed) and all higher ones are final. */
const COMPLETED = 3;
const FIRST_PAUSE_SECONDS = 0.5;
const MAX_PAUSE_SECONDS = 15;
/** How long waiting tolerates a service that does not respond, for instance during an upgrade. */
const UNREACHABLE_SECONDS = 300;

export interface WaitRequest {
	/** `Task` or `Batch`. */
	subject: string;
	number: string;
	path: string;
	/** Time in ms at which waiting ends; the task continues. */
	deadline: number;
	failUnlessCompleted: boolean;
	itemIndex: number;
}

/** Polls a task or batch, with increasing pauses, until it has ended. */
export async function waitForEnd(this: IExecuteFunctions, request: WaitRequest): Promise<IDataObject> {
	const { subject, number, path, deadline, itemIndex } = request;
	let state: IDataObject | undefined;
	let responded = Date.now();
	for (let pause = FIRST_PAUSE_SECONDS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_SECONDS)) {
		try {
			state = await apiRequest.call(this, { path, itemIndex, attempts: 1 });
			responded = Date.now();
		} catch (error) {
			const unavailable = error instanceof NodeApiError && isUnavailable(error);
			if (!unavailable || Date.now() - responded > UNREACHABLE_SECONDS * 1000 || Date.now() >= deadline) {
				throw new NodeApiError(this.getNode(), error as JsonObject);
			}
		}
		if (state && Number(state.status) >= COMPLETED) break;
		const remaining = deadline - Date.now();
		if (remaining <= 0) {
			const progress = state ? `${String(state.statusName)}, ${String(state.progressPercent)} %` : 'unknown';
			throw new NodeOperationError(this.getNode(), `${subject} ${number} has not ended in time (${progress})`, {
				itemIndex,
				description: `The ${subject.toLowerCase()} continues. Increase Timeout, wait for it again, or receive its callback with the clipmill Trigger.`,
			});
		}
		await pauseFor.call(this, Math.min(pause * 1000, remaining), itemIndex);
	}
	if (request.failUnlessCompleted && Number(state.status) !== COMPLETED) {
		throw new NodeOperationError(
			this.getNode(),
			`${subject} ${number} is ${String(state.statusName)}: ${String(state.errorMsg ?? 'no video was delivered')}`,
			{
				itemIndex,
				description:
					'Nothing is charged for videos that are not delivered. Disable Fail Unless Completed to continue with such results.',
			},
		);
	}
	return state;
}

function isUnavailable(error: NodeApiError): boolean {
	return error.httpCode === null || error.httpCode === '429' || error.httpCode.startsWith('5');
}

/** Sleeps in short steps, so that a cancelled execution ends soon. */
async function pauseFor(this: IExecuteFunctions, milliseconds: number, itemIndex: number): Promise<void> {
	const end = Date.now() + milliseconds;
	for (let remaining = milliseconds; remaining > 0; remaining = end - Date.now()) {
		if (this.getExecutionCancelSignal()?.aborted) {
			throw new NodeOperationError(this.getNode(), 'The execution was cancelled', { itemIndex });
		}
		await sleep(Math.min(remaining, 500));
	}
}
