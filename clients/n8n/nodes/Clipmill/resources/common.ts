import type { INodeProperties } from 'n8n-workflow';

/** Shows a field for these operations of a resource, unless it has conditions of its own besides. */
export function forOperations(resource: string, operations: string[], fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, resource: [resource], operation: operations },
		},
	}));
}

export const returnAllAndLimit: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const waiting: INodeProperties[] = [
	{
		displayName: 'Timeout (Minutes)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: 60,
		description:
			'How long to wait, from the start of this node. After that the node fails; the work at the service continues.',
	},
	{
		displayName: 'Fail Unless Completed',
		name: 'failUnlessCompleted',
		type: 'boolean',
		default: true,
		description: 'Whether to fail if the result is failed, cancelled or rejected',
	},
];

export const template: INodeProperties = {
	displayName: 'Template',
	name: 'template',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'A saved request with variables',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTemplates', searchable: true },
		},
		{
			displayName: 'By Number',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. TP01M7Y7SJE4P7BM18RVJ8SFE3ZB',
		},
	],
};
