import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { isObject } from '../../shared/errors';

/** The body of a submission or estimate, as the parameters of the node specify it. */
export function taskRequest(this: IExecuteFunctions, i: number): IDataObject {
	const body = specifiedRequest.call(this, i);
	const fields = this.getNodeParameter('additionalFields', i, {}) as IDataObject;
	for (const [name, value] of Object.entries(fields)) {
		if (name === 'labels') body.labels = entries(value, ',');
		else if (value !== '') body[name] = value;
	}
	return body;
}

function specifiedRequest(this: IExecuteFunctions, i: number): IDataObject {
	switch (this.getNodeParameter('specifyRequest', i) as string) {
		case 'json':
			return { ...jsonParameter.call(this, 'requestJson', i) };
		case 'template':
			return {
				template: this.getNodeParameter('template', i, '', { extractValue: true }) as string,
				values: templateValues.call(this, i),
			};
		default:
			return formRequest.call(this, i);
	}
}

function templateValues(this: IExecuteFunctions, i: number): IDataObject {
	const source = this.getNodeParameter('specifyValues', i) as string;
	if (source === 'json') return jsonParameter.call(this, 'valuesJson', i);
	if (source === 'item') return { ...this.getInputData()[i].json };
	const values = this.getNodeParameter('values.value', i, []) as IDataObject[];
	return Object.fromEntries(values.map(({ name, value }) => [String(name), value]));
}

function formRequest(this: IExecuteFunctions, i: number): IDataObject {
	const taskType = this.getNodeParameter('taskType', i) as string;
	const extra = this.getNodeParameter('requestOptions', i, {}) as IDataObject;
	const params: IDataObject = {};
	const options: IDataObject = {};
	if (taskType === 'videoDeduplication') {
		const copies = this.getNodeParameter('copies', i) as number;
		params.videoList = clips.call(this, i).map(({ url, ...clip }) => ({ filename: url, ...clip, copies }));
		Object.assign(options, variationOptions(this.getNodeParameter('variations', i, []) as string[]));
	} else {
		if (taskType === 'proVideoMix') Object.assign(params, sceneParams.call(this, i));
		else params.videoList = [{ videos: clips.call(this, i) }];
		Object.assign(options, mixOptions.call(this, i, extra));
	}
	if (extra.fps !== undefined) options.fps = extra.fps;
	if (extra.seed !== undefined) params.seed = extra.seed;
	if (extra.optionsJson !== undefined) {
		Object.assign(options, parsed.call(this, extra.optionsJson, 'Options (JSON)', i));
	}
	params.options = options;
	return { taskType, params };
}

function mixOptions(this: IExecuteFunctions, i: number, extra: IDataObject): IDataObject {
	const options: IDataObject = {
		resolution: this.getNodeParameter('resolution', i),
		resolutionMode: this.getNodeParameter('resolutionMode', i),
	};
	const captions = this.getNodeParameter('captions', i) as string;
	if (captions !== 'none') {
		const subtitle: IDataObject = {};
		if (captions === 'file') subtitle.url = this.getNodeParameter('captionUrl', i);
		else if (captions === 'text') subtitle.text = this.getNodeParameter('captionText', i);
		else subtitle.from = captions;
		const preset = this.getNodeParameter('captionStyle', i, 'default') as string;
		if (preset !== 'default') subtitle.style = { preset };
		options.subtitle = subtitle;
	}
	if (extra.musicUrl) options.backgroundMusic = { url: extra.musicUrl };
	if (extra.voiceUrl) options.audio = { url: extra.voiceUrl };
	else if (extra.voiceText) options.audio = { text: extra.voiceText };
	if (extra.originalVolume !== undefined) options.originalVolume = extra.originalVolume;
	return options;
}

function clips(this: IExecuteFunctions, i: number): IDataObject[] {
	if (this.getNodeParameter('specifyClips', i) === 'list') {
		const duration = this.getNodeParameter('clipDuration', i, 0) as number;
		return entries(this.getNodeParameter('clipUrls', i), '\n').map((url) => given({ url, duration }));
	}
	return (this.getNodeParameter('clips.clip', i, []) as IDataObject[]).map(given);
}

function sceneParams(this: IExecuteFunctions, i: number): IDataObject {
	const scenes = this.getNodeParameter('scenes.scene', i, []) as IDataObject[];
	return {
		audioMode: 'merge',
		outputCount: this.getNodeParameter('outputCount', i),
		scenes: scenes.map((scene, index) => ({
			sceneKey: `scene-${index + 1}`,
			sceneName: `Scene ${index + 1}`,
			duration: scene.duration,
			resources: entries(scene.clipUrls, '\n').map((url) => ({ url })),
			...(scene.text ? { text: scene.text } : {}),
		})),
	};
}

function variationOptions(variations: string[]): IDataObject {
	const all: { [name: string]: IDataObject } = {
		colourMixing: { colourMixing: { isMixing: true } },
		look: { isFilter: true },
		mirror: { isMirror: true },
		rotation: { rotation: { isRotate: true, minAngle: 0.5, maxAngle: 2 } },
		speed: { speed: { isSpeed: true, start: 0.9, end: 1.1 } },
		zoom: { zoom: { isZoom: true, minScale: 1, maxScale: 1.1 } },
	};
	return Object.assign({}, ...variations.map((name) => all[name])) as IDataObject;
}

/** The fields of a clip without numbers that are 0, which stand for "not set". */
function given(clip: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(clip).filter(([, value]) => value !== 0 && value !== ''));
}

/** The entries of a list, or of a text that a character separates. */
export function entries(value: unknown, separator: string): string[] {
	const list: unknown[] = Array.isArray(value) ? value : String(value ?? '').split(separator);
	return list.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

function jsonParameter(this: IExecuteFunctions, name: string, i: number): IDataObject {
	return parsed.call(this, this.getNodeParameter(name, i), name === 'requestJson' ? 'Request' : 'Values', i);
}

/** A JSON object in a parameter: a text, or the result of an expression. */
function parsed(this: IExecuteFunctions, value: unknown, label: string, i: number): IDataObject {
	let result = value;
	if (typeof value === 'string') {
		try {
			result = JSON.parse(value === '' ? '{}' : value);
		} catch (error) {
			throw new NodeOperationError(this.getNode(), `"${label}" is not valid JSON: ${(error as Error).message}`, {
				itemIndex: i,
				description:
					'Fix the JSON. If it contains expressions, put quotes around their texts, or use one expression for all of it.',
			});
		}
	}
	if (!isObject(result)) {
		throw new NodeOperationError(this.getNode(), `"${label}" must be a JSON object`, { itemIndex: i });
	}
	return result;
}
