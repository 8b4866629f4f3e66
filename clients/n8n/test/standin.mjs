// The parts of n8n's engine that the nodes use. Parameters get their defaults from n8n-workflow, and the HTTP helpers
// make the same requests with axios as n8n's.
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { randomUUID } from "node:crypto";

const require = createRequire(`${process.cwd()}/`);
const axios = require("axios");
const { NodeHelpers, NodeApiError } = require("n8n-workflow");
export const { Clipmill } = require("./dist/nodes/Clipmill/Clipmill.node.js");
export const { ClipmillTrigger } = require("./dist/nodes/ClipmillTrigger/ClipmillTrigger.node.js");
export const { ClipmillApi } = require("./dist/credentials/ClipmillApi.credentials.js");
export const internals = {
  ...require("./dist/nodes/Clipmill/shared/signature.js"),
  ...require("./dist/nodes/Clipmill/resources/task/request.js"),
};

/** Sends a request as n8n's helper does: its request options become those of axios. */
export async function httpRequest(options) {
  const request = {
    method: options.method,
    url: options.url,
    baseURL: options.baseURL,
    params: options.qs,
    headers: { ...options.headers },
    maxBodyLength: Infinity,
    maxContentLength: Infinity,
    responseType: options.encoding,
  };
  if (options.disableFollowRedirect) request.maxRedirects = 0;
  if (options.ignoreHttpStatusErrors) request.validateStatus = () => true;
  if (options.body) request.data = options.body;
  const response = await axios.request(request);
  if (!options.returnFullResponse) return response.data;
  const { data: body, headers, status: statusCode, statusText: statusMessage } = response;
  return { body, headers, statusCode, statusMessage };
}

/** An execution of one node. Files are stored by ID as in a production installation, unless `inMemory` is set. */
export class Execution {
  constructor(credentials, options = {}) {
    this.credentials = credentials;
    this.id = options.executionId ?? randomUUID();
    this.context = options.context ?? {};
    this.runIndex = options.runIndex ?? 0;
    this.inMemory = options.inMemory ?? false;
    this.files = options.files ?? new Map();
    this.signal = options.signal;
    this.keepGoing = options.continueOnFail ?? false;
  }

  /** Runs the node with these parameters for the items; returns the items of its output. */
  async run(parameters, items = [{ json: {} }]) {
    const node = this.prepare(new Clipmill(), parameters);
    this.items = items;
    const [output] = await node.execute.call(this.functions());
    return output;
  }

  prepare(type, parameters) {
    const { properties } = type.description;
    this.node = { id: "5c0ffee0-0000-4000-8000-000000000001", name: "clipmill", type: "clipmill", typeVersion: 1, parameters };
    this.parameters = NodeHelpers.getNodeParameters(properties, parameters, true, false, this.node, type.description);
    return type;
  }

  functions() {
    const self = this;
    return {
      getInputData: () => self.items,
      getNode: () => self.node,
      getWorkflow: () => ({ id: "workflow-1", name: "Test", active: true }),
      getInstanceId: () => "instance-1",
      getExecutionId: () => self.id,
      getContext: () => self.context,
      getExecutionCancelSignal: () => self.signal,
      continueOnFail: () => self.keepGoing,
      evaluateExpression: (expression) => {
        if (expression === "{{ $runIndex }}") return self.runIndex;
        throw new Error(`unexpected expression ${expression}`);
      },
      getCredentials: async () => self.credentials,
      getNodeParameter: (name, i, fallback, options) => self.parameter(name, i, fallback, options),
      getCurrentNodeParameter: (name, options) => self.parameter(name, 0, undefined, options),
      helpers: {
        httpRequest,
        async httpRequestWithAuthentication(type, options) {
          try {
            return await httpRequest({ ...options, headers: { ...options.headers, "X-API-Key": self.credentials.apiKey } });
          } catch (error) {
            throw new NodeApiError(self.node, error);
          }
        },
        assertBinaryData: (i, field) => self.items[i].binary[field],
        getBinaryDataBuffer: async (i, field) => Buffer.from(self.items[i].binary[field].data, "base64"),
        getBinaryMetadata: async (id) => ({ fileSize: self.files.get(id).length }),
        getBinaryStream: async (id) => Readable.from(chunks(self.files.get(id))),
        binaryToString: async (body) => text(body),
        prepareBinaryData: async (body, fileName, mimeType) => self.store(await buffer(body), fileName, mimeType),
      },
    };
  }

  store(content, fileName, mimeType) {
    if (this.inMemory) return { data: content.toString("base64"), fileName, mimeType };
    const id = `filesystem-v2:${randomUUID()}`;
    this.files.set(id, content);
    return { data: "filesystem-v2", id, fileName, mimeType };
  }

  /** The content of a binary field of an output item. */
  content(binary) {
    return binary.id ? this.files.get(binary.id) : Buffer.from(binary.data, "base64");
  }

  parameter(name, i, fallback, options) {
    let value = name.split(".").reduce((object, key) => object?.[key], this.parameters);
    if (value === undefined) value = fallback;
    if (value === undefined) throw new Error(`Could not get parameter ${name}`);
    if (options?.extractValue) value = value?.value ?? value;
    return resolve(value, this.items?.[i]?.json);
  }
}

/** Replaces the expressions that the tests and defaults use: one field of the item. */
function resolve(value, json) {
  if (typeof value === "string") {
    const field = /^=\{\{ \$json\.(\w+) \}\}$/.exec(value);
    return field ? json?.[field[1]] : value;
  }
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, json));
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolve(entry, json)]));
  }
  return value;
}

function* chunks(content) {
  for (let start = 0; start < content.length; start += 65536) yield content.subarray(start, start + 65536);
}
