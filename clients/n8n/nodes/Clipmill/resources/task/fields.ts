import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { forOperations, template } from '../common';

const MIXES = ['baseVideoMix', 'proVideoMix'];

function names(values: string[]): INodePropertyOptions[] {
	return values.map((value) => ({ name: value, value }));
}

const specifyRequest: INodeProperties = {
	displayName: 'Specify Request',
	name: 'specifyRequest',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Using Fields Below', value: 'fields', description: 'The most common options' },
		{ name: 'Using JSON', value: 'json', description: 'All options of the API' },
		{ name: 'Using a Template', value: 'template', description: 'A saved request with variables' },
	],
	default: 'fields',
};

const requestJson: INodeProperties = {
	displayName: 'Request',
	name: 'requestJson',
	type: 'json',
	typeOptions: { rows: 12 },
	default:
		'{\n  "taskType": "baseVideoMix",\n  "params": {\n    "videoList": [ { "videos": [ { "url": "https://…" } ] } ],\n    "options": { "resolution": "720:1280" }\n  }\n}',
	required: true,
	description: 'Body of a submission, as described in the API reference of the service',
	displayOptions: { show: { specifyRequest: ['json'] } },
};

const templateFields: INodeProperties[] = [
	{ ...template, displayOptions: { show: { specifyRequest: ['template'] } } },
	{
		displayName: 'Specify Values',
		name: 'specifyValues',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'From Input Item', value: 'item', description: 'All fields of the input item' },
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'fields',
		description: 'Where the values of the variables come from',
		displayOptions: { show: { specifyRequest: ['template'] } },
	},
	{
		displayName: 'Values',
		name: 'values',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Value',
		default: {},
		options: [
			{
				displayName: 'Value',
				name: 'value',
				values: [
					{
						displayName: 'Variable Name or ID',
						name: 'name',
						type: 'options',
						typeOptions: { loadOptionsMethod: 'getVariables', loadOptionsDependsOn: ['template.value'] },
						default: '',
						description:
							'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						description: 'Separate the entries of a list with |',
					},
				],
			},
		],
		displayOptions: { show: { specifyRequest: ['template'], specifyValues: ['fields'] } },
	},
	{
		displayName: 'Values',
		name: 'valuesJson',
		type: 'json',
		default: '{}',
		description: 'Object with the values of the variables',
		displayOptions: { show: { specifyRequest: ['template'], specifyValues: ['json'] } },
	},
];

const taskType: INodeProperties = {
	displayName: 'Task Type',
	name: 'taskType',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Base Video Mix', value: 'baseVideoMix', description: 'Join clips and images, in order, into one video' },
		{
			name: 'Pro Video Mix',
			value: 'proVideoMix',
			description: 'Several different videos made of scenes with alternative clips',
		},
		{
			name: 'Video Deduplication',
			value: 'videoDeduplication',
			description: 'Random visual variations of finished videos',
		},
	],
	default: 'baseVideoMix',
	displayOptions: { show: { specifyRequest: ['fields'] } },
};

const clips: INodeProperties[] = [
	{
		displayName: 'Specify Clips',
		name: 'specifyClips',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Using Fields Below', value: 'fields' },
			{ name: 'Using a List', value: 'list', description: 'Any number of URLs, for instance from an expression' },
		],
		default: 'fields',
		displayOptions: { show: { specifyRequest: ['fields'], taskType: ['baseVideoMix', 'videoDeduplication'] } },
	},
	{
		displayName: 'Clips',
		name: 'clips',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Clip',
		default: {},
		options: [
			{
				displayName: 'Clip',
				name: 'clip',
				values: [
					{
						displayName: 'URL',
						name: 'url',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://… or upload://…',
						description: 'A video or an image: an http(s) URL, the URL of an upload, or result://TASKNO/ITEM',
						required: true,
					},
					{
						displayName: 'Duration',
						name: 'duration',
						type: 'number',
						typeOptions: { minValue: 0, numberPrecision: 3 },
						default: 0,
						description:
							'Length in seconds. Video Deduplication needs it for an estimate of the price; an image of a mix is shown for this time. 0 omits it.',
					},
					{
						displayName: 'From',
						name: 'from',
						type: 'number',
						typeOptions: { minValue: 0, numberPrecision: 3 },
						default: 0,
						description: 'Start of the excerpt, in seconds from the beginning of the file',
					},
					{
						displayName: 'To',
						name: 'to',
						type: 'number',
						typeOptions: { minValue: 0, numberPrecision: 3 },
						default: 0,
						description: 'End of the excerpt, in seconds from the beginning of the file. 0 is the end of the file.',
					},
				],
			},
		],
		displayOptions: {
			show: { specifyRequest: ['fields'], taskType: ['baseVideoMix', 'videoDeduplication'], specifyClips: ['fields'] },
		},
	},
	{
		displayName: 'Clip URLs',
		name: 'clipUrls',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.urls }}',
		description: 'A list of URLs from an expression, or one URL per line',
		displayOptions: {
			show: { specifyRequest: ['fields'], taskType: ['baseVideoMix', 'videoDeduplication'], specifyClips: ['list'] },
		},
	},
	{
		displayName: 'Duration of Each Clip',
		name: 'clipDuration',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 3 },
		default: 0,
		description:
			'Length in seconds. Video Deduplication needs it for an estimate of the price; an image of a mix is shown for this time. 0 omits it.',
		displayOptions: {
			show: { specifyRequest: ['fields'], taskType: ['baseVideoMix', 'videoDeduplication'], specifyClips: ['list'] },
		},
	},
];

const scenes: INodeProperties[] = [
	{
		displayName: 'Scenes',
		name: 'scenes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Scene',
		default: {},
		options: [
			{
				displayName: 'Scene',
				name: 'scene',
				values: [
					{
						displayName: 'Clip URLs',
						name: 'clipUrls',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '',
						required: true,
						description:
							'Alternative clips: a list from an expression, or one URL per line. Each video shows one of them.',
					},
					{
						displayName: 'Duration',
						name: 'duration',
						type: 'number',
						typeOptions: { minValue: 0.1, numberPrecision: 3 },
						default: 3,
						required: true,
						description: 'Length of the scene in seconds',
					},
					{
						displayName: 'Text',
						name: 'text',
						type: 'string',
						typeOptions: { rows: 2 },
						default: '',
						description: 'Script of the scene, shown as captions',
					},
				],
			},
		],
		displayOptions: { show: { specifyRequest: ['fields'], taskType: ['proVideoMix'] } },
	},
	{
		displayName: 'Count',
		name: 'outputCount',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 200 },
		default: 3,
		description: 'Number of different videos',
		displayOptions: { show: { specifyRequest: ['fields'], taskType: ['proVideoMix'] } },
	},
];

const variations: INodeProperties[] = [
	{
		displayName: 'Count',
		name: 'copies',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 1,
		description: 'Number of variations of each video',
		displayOptions: { show: { specifyRequest: ['fields'], taskType: ['videoDeduplication'] } },
	},
	{
		displayName: 'Variations',
		name: 'variations',
		type: 'multiOptions',
		options: [
			{
				name: 'Colour Adjustment',
				value: 'colourMixing',
				description: 'Brightness, contrast, saturation and gamma change slightly',
			},
			{ name: 'Colour Look', value: 'look' },
			{ name: 'Mirror', value: 'mirror' },
			{ name: 'Rotation', value: 'rotation', description: 'By up to 2 degrees' },
			{ name: 'Speed', value: 'speed', description: 'By up to 10 % slower or faster' },
			{ name: 'Zoom', value: 'zoom', description: 'By up to 10 %' },
		],
		default: ['colourMixing', 'zoom'],
		description: 'What differs from the original. Set ranges in Options (JSON).',
		displayOptions: { show: { specifyRequest: ['fields'], taskType: ['videoDeduplication'] } },
	},
];

const frame: INodeProperties[] = [
	{
		displayName: 'Resolution',
		name: 'resolution',
		type: 'options',
		options: [
			{ name: 'Landscape 1280 × 720', value: '1280:720' },
			{ name: 'Landscape 1920 × 1080', value: '1920:1080' },
			{ name: 'Portrait 1080 × 1350', value: '1080:1350' },
			{ name: 'Portrait 1080 × 1920', value: '1080:1920' },
			{ name: 'Portrait 720 × 1280', value: '720:1280' },
			{ name: 'Square 1080 × 1080', value: '1080:1080' },
			{ name: 'Square 720 × 720', value: '720:720' },
		],
		default: '720:1280',
		displayOptions: { show: { specifyRequest: ['fields'], taskType: MIXES } },
	},
	{
		displayName: 'Resolution Mode',
		name: 'resolutionMode',
		type: 'options',
		options: [
			{ name: 'Bars', value: 'none', description: 'Show the whole clip, with bars' },
			{ name: 'Crop', value: 'crop', description: 'Fill the frame and crop the clip' },
			{ name: 'Stretch', value: 'stretch', description: 'Fill the frame and distort the clip' },
		],
		default: 'crop',
		description: 'How a clip of another shape is scaled',
		displayOptions: { show: { specifyRequest: ['fields'], taskType: MIXES } },
	},
];

const captions: INodeProperties[] = [
	{
		displayName: 'Captions',
		name: 'captions',
		type: 'options',
		options: [
			{ name: 'From a File', value: 'file', description: 'An SRT or VTT file' },
			{ name: 'From a Text', value: 'text', description: 'A script that is split into captions' },
			{ name: 'From the Clips', value: 'clips', description: 'What is spoken in the clips' },
			{ name: 'From the Voice-Over', value: 'voice', description: 'What the voice-over says' },
			{ name: 'None', value: 'none' },
		],
		default: 'none',
		displayOptions: { show: { specifyRequest: ['fields'], taskType: MIXES } },
	},
	{
		displayName: 'Caption File URL',
		name: 'captionUrl',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { specifyRequest: ['fields'], taskType: MIXES, captions: ['file'] } },
	},
	{
		displayName: 'Caption Text',
		name: 'captionText',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		displayOptions: { show: { specifyRequest: ['fields'], taskType: MIXES, captions: ['text'] } },
	},
	{
		displayName: 'Caption Style',
		name: 'captionStyle',
		type: 'options',
		options: [
			{ name: 'Default', value: 'default' },
			...names([
				'bold-pop',
				'build',
				'clean',
				'headline',
				'impact',
				'karaoke',
				'karaoke-box',
				'label',
				'neon',
				'typewriter',
			]),
		],
		default: 'default',
		displayOptions: { show: { specifyRequest: ['fields'], taskType: MIXES }, hide: { captions: ['none'] } },
	},
];

const requestFields: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	displayOptions: { show: { specifyRequest: ['fields'] } },
	options: [
		{
			displayName: 'Background Music URL',
			name: 'musicUrl',
			type: 'string',
			default: '',
			description: 'Music of a mix. It repeats until the end.',
		},
		{
			displayName: 'Frame Rate',
			name: 'fps',
			type: 'options',
			options: [
				{ name: '25', value: 25 },
				{ name: '30', value: 30 },
				{ name: '50', value: 50 },
				{ name: '60', value: 60 },
			],
			default: 30,
			description: 'Frames per second of the videos',
		},
		{
			displayName: 'Options (JSON)',
			name: 'optionsJson',
			type: 'json',
			default: '{}',
			description: 'Further members of params.options, as described in the API reference. They override the fields.',
		},
		{
			displayName: 'Original Volume',
			name: 'originalVolume',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 100 },
			default: 100,
			description: 'Volume of the own audio of the clips of a mix, in percent',
		},
		{
			displayName: 'Seed',
			name: 'seed',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 1,
			description: 'Makes random choices reproducible',
		},
		{
			displayName: 'Voice-Over Text',
			name: 'voiceText',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description: 'A text that the speech service of the installation speaks in a mix',
		},
		{
			displayName: 'Voice-Over URL',
			name: 'voiceUrl',
			type: 'string',
			default: '',
			description: 'An audio file for a mix that plays once',
		},
	],
};

const submission: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{
			displayName: 'Callback URL',
			name: 'callbackUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. the production URL of a clipmill Trigger',
			description: 'Receives one message when the task has ended',
		},
		{
			displayName: 'Labels',
			name: 'labels',
			type: 'string',
			default: '',
			placeholder: 'e.g. shop, spring',
			description: 'Up to ten labels, separated by commas',
		},
		{
			displayName: 'Max Points',
			name: 'maxPoints',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 100,
			description: 'Maximum price of the task. A more expensive request is rejected.',
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			description: 'Name of the task and of its files',
		},
	],
};

const clientTaskId: INodeProperties = {
	displayName: 'Client Task ID',
	name: 'clientTaskId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1234',
	description:
		'Your own ID of the job. The same request with the same ID is never rendered or charged twice. By default, an ID of the execution and the item, which stays the same when n8n retries the node or the execution.',
};

const preflight: INodeProperties = {
	displayName: 'Check Files',
	name: 'preflight',
	type: 'boolean',
	default: false,
	description: 'Whether to fetch and probe the files, for an exact price and warnings about unusable files',
};

export const taskFields: INodeProperties[] = [
	...forOperations(
		'task',
		['create', 'estimate'],
		[
			specifyRequest,
			requestJson,
			...templateFields,
			taskType,
			...clips,
			...scenes,
			...variations,
			...frame,
			...captions,
			requestFields,
		],
	),
	...forOperations('task', ['create'], [clientTaskId]),
	...forOperations('task', ['create', 'estimate'], [submission]),
	...forOperations('task', ['estimate'], [preflight]),
];
