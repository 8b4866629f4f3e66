import type {
	IAuthenticateGeneric,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

export class ClipmillApi implements ICredentialType {
	name = 'clipmillApi';

	displayName = 'Clipmill API';

	icon: Icon = { light: 'file:../icons/clipmill.svg', dark: 'file:../icons/clipmill.dark.svg' };

	documentationUrl = 'https://clipmill.invalid/';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://clips.example.com',
			description: 'Address of the clipmill service, as seen from n8n, without a path',
			required: true,
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'A key with the scopes "read" and "submit". The operator of the service issues keys.',
			required: true,
		},
		{
			displayName: 'Signing Secret',
			name: 'signingSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'e.g. whsec_…',
			description:
				'Secret that signs callbacks to your user. Only the clipmill Trigger needs it. The operator of the service can show or replace it.',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: {
				'X-API-Key': '={{$credentials.apiKey}}',
			},
		},
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "")}}',
			url: '/open-api/v1/video-process/balance',
			method: 'GET',
		},
	};
}
