import type {
	IDataObject,
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { signatureError } from '../Clipmill/shared/signature';

export class ClipmillTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'clipmill Trigger',
		name: 'clipmillTrigger',
		icon: { light: 'file:../../icons/clipmill.svg', dark: 'file:../../icons/clipmill.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		description: 'Starts the workflow when a task or batch of clipmill has ended',
		defaults: { name: 'clipmill Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'clipmillApi', required: true }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
		properties: [
			{
				displayName:
					'Set the URL of this trigger as Callback URL of the tasks and batches that should start this workflow. The credential must have the signing secret of your user.',
				name: 'notice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				options: [
					{ name: 'Batch Cancelled', value: 'batch.cancelled' },
					{ name: 'Batch Completed', value: 'batch.completed' },
					{ name: 'Batch Failed', value: 'batch.failed' },
					{ name: 'Task Cancelled', value: 'task.cancelled' },
					{ name: 'Task Completed', value: 'task.completed' },
					{ name: 'Task Failed', value: 'task.failed' },
					{ name: 'Task Rejected', value: 'task.rejected' },
				],
				default: ['task.completed', 'task.failed', 'task.rejected'],
				required: true,
				description: 'The events that start the workflow. Others are confirmed and ignored.',
			},
		],
	};

	// The service has no list of webhooks: each task names its own callback URL.
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const { signingSecret } = await this.getCredentials('clipmillApi');
				if (!signingSecret) {
					throw new NodeOperationError(this.getNode(), 'The credential has no signing secret', {
						description:
							'Enter the secret that starts with whsec_ in the credential. The operator of the service can show or replace it.',
					});
				}
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const request = this.getRequestObject();
		const { signingSecret } = await this.getCredentials('clipmillApi');
		// Versions of n8n differ in whether the body was read before.
		if (!request.rawBody) await request.readRawBody();
		const reason = signatureError(String(signingSecret ?? ''), this.getHeaderData(), request.rawBody);
		if (reason) {
			this.getResponseObject().status(401).json({ message: reason });
			return { noWebhookResponse: true };
		}
		const message = this.getBodyData();
		const events = this.getNodeParameter('events', []) as string[];
		if (!events.includes(String(message.type))) return { webhookResponse: { message: 'Event ignored' } };
		const json: IDataObject = { webhookId: this.getHeaderData()['webhook-id'], ...message };
		return { workflowData: [[{ json }]] };
	}
}
