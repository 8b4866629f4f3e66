import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { apiRequest, apiRequestAll, PAGE_SIZE } from '../../shared/transport';
import { forOperations, returnAllAndLimit } from '../common';
import { limitOf } from '../parameters';

export const templateDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['template'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many templates',
				description: 'List templates, most recently changed first',
			},
		],
		default: 'getAll',
	},
	...forOperations('template', ['getAll'], returnAllAndLimit),
	...forOperations(
		'template',
		['getAll'],
		[
			{
				displayName: 'Search',
				name: 'q',
				type: 'string',
				default: '',
				description: 'Only templates whose name contains this text',
			},
		],
	),
];

export async function executeTemplate(this: IExecuteFunctions, i: number): Promise<INodeExecutionData[]> {
	const q = this.getNodeParameter('q', i, '') as string;
	const templates = await apiRequestAll.call(this, {
		path: '/templates',
		qs: q ? { q } : {},
		key: 'templateNo',
		limit: limitOf.call(this, i),
		itemIndex: i,
	});
	return templates.map((template) => ({ json: template, pairedItem: { item: i } }));
}

/** Templates for the list of the editor. */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const pageNo = Number(paginationToken ?? 1);
	const qs = { pageNo, pageSize: PAGE_SIZE, ...(filter ? { q: filter } : {}) };
	const page = await apiRequest.call(this, { path: '/templates', qs });
	const list = (page.list ?? []) as IDataObject[];
	return {
		results: list.map(({ name, templateNo }) => ({ name: String(name), value: String(templateNo) })),
		paginationToken: list.length < PAGE_SIZE ? undefined : String(pageNo + 1),
	};
}

/** Variables of the selected template. */
export async function getVariables(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const number = this.getCurrentNodeParameter('template', { extractValue: true });
	if (typeof number !== 'string' || !/^[A-Za-z0-9]+$/.test(number)) return [];
	const template = await apiRequest.call(this, { path: `/templates/${number}` });
	return ((template.variables ?? []) as IDataObject[]).map((variable) => ({
		name: String(variable.name),
		value: String(variable.name),
		description: String(variable.type),
	}));
}
