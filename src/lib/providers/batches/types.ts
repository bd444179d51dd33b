// What a provider's batch API is: many requests handed in at once, for half the price, answered within a day.
import type { JsonObject } from '../../json/values.ts';

/** Requests to one provider with its credential. Paths are under its base URL. Throw AttemptFailed. */
export interface Client {
  json(method: 'GET' | 'POST', path: string, body?: JsonObject): Promise<JsonObject>;
  /** Sends a form: fields, and one file of JSON lines. */
  upload(
    path: string,
    fields: Readonly<Record<string, string>>,
    file: { readonly name: string; readonly text: string },
  ): Promise<JsonObject>;
  /** A body of JSON lines. */
  lines(path: string): AsyncIterable<JsonObject>;
}

export interface BatchRequest {
  readonly id: string;
  readonly body: JsonObject;
}

export interface BatchStatus {
  /** In the provider's own word. */
  readonly state: string;
  readonly ended: boolean;
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

/** What became of one request: a reply in the API's dialect, or the error's body. */
export interface BatchResult {
  readonly id: string;
  readonly reply?: JsonObject;
  readonly error?: JsonObject;
}

export interface BatchApi {
  /** What one batch may hold. */
  readonly most: { readonly requests: number; readonly bytes: number };
  /** The bytes that a request takes there. */
  sizeOf(request: BatchRequest): number;
  /** The id of the new batch. */
  submit(client: Client, requests: readonly BatchRequest[]): Promise<string>;
  status(client: Client, id: string): Promise<BatchStatus>;
  /** In any order. Nothing before the batch has ended. */
  results(client: Client, id: string): AsyncIterable<BatchResult>;
}
