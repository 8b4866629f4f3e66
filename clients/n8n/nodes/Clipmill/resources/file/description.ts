import type { INodeProperties } from 'n8n-workflow';
import { forOperations } from '../common';

const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['file'] } },
	options: [
		{
			name: 'Download Result',
			value: 'download',
			action: 'Download the results of a task',
			description: 'Get the videos of a task, or their covers, as files',
		},
		{
			name: 'Upload',
			value: 'upload',
			action: 'Upload a file',
			description: 'Store a file at the service, for use in requests',
		},
	],
	default: 'upload',
};

export const fileDescription: INodeProperties[] = [
	operation,
	...forOperations(
		'file',
		['upload'],
		[
			{
				displayName: 'Input Binary Field',
				name: 'binaryPropertyName',
				type: 'string',
				default: 'data',
				required: true,
				hint: 'The name of the input binary field containing the file to be uploaded',
			},
			{
				displayName: 'File Name',
				name: 'fileName',
				type: 'string',
				default: '',
				description: 'Name of the file in the library. By default, the name of the input file.',
			},
		],
	),
	...forOperations(
		'file',
		['download'],
		[
			{
				displayName: 'Task Number',
				name: 'taskNo',
				type: 'string',
				default: '={{ $json.taskNo }}',
				required: true,
				placeholder: 'e.g. VP01M7Y7SJE4P7BM18RVJ8SFE3ZB',
			},
			{
				displayName: 'Videos',
				name: 'selection',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'All Finished Videos', value: 'all', description: 'One output item per video' },
					{ name: 'One Video', value: 'one' },
				],
				default: 'all',
			},
			{
				displayName: 'Video Number',
				name: 'itemNo',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1,
				description: 'Number of the video in the task, from 1',
				displayOptions: { show: { selection: ['one'] } },
			},
			{
				displayName: 'Content',
				name: 'content',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Cover', value: 'cover', description: 'A JPEG image' },
					{ name: 'Video', value: 'video' },
				],
				default: 'video',
			},
			{
				displayName: 'Put Output File in Field',
				name: 'outputField',
				type: 'string',
				default: 'data',
				required: true,
				hint: 'The name of the output binary field to put the file in',
			},
		],
	),
];
