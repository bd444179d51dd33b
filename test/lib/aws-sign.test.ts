// Our signatures are those that AWS's own library makes.
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { describe, expect, test } from 'vitest';
import { regionIn, signed } from '../../src/lib/providers/aws-signature.ts';

class Sha256 {
  readonly #hash;
  constructor(secret?: string | Uint8Array) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string);
  }
  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('a signature', () => {
  test.each([
    ['https://bedrock-runtime.eu-west-1.amazonaws.com/model/amazon.nova-lite-v1%3A0/converse', undefined],
    [
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream',
      'token',
    ],
  ])('of %s', async (url, sessionToken) => {
    const body = '{"messages":[{"role":"user","content":[{"text":"hällo"}]}]}';
    const headers = { 'content-type': 'application/json' };
    const { hostname, pathname } = new URL(url);
    const credentials = { ...KEYS, ...(sessionToken && { sessionToken }) };
    const signer = new SignatureV4({
      service: 'bedrock',
      region: regionIn(url),
      credentials,
      sha256: Sha256 as never,
      applyChecksum: false,
    });
    const request = {
      method: 'POST',
      protocol: 'https:',
      hostname,
      path: pathname,
      headers: { ...headers, host: hostname } as Record<string, string>,
      body,
    };
    const theirs = await signer.sign(request as never, { signingDate: new Date(NOW) });
    const ours = signed({ method: 'POST', url, headers, body }, credentials, {
      service: 'bedrock',
      region: regionIn(url),
      now: NOW,
    });
    expect(ours.authorization).toBe((theirs as unknown as typeof request).headers.authorization);
  });
});

test('the region is that of the host', () => {
  expect(regionIn('https://bedrock-runtime.ap-southeast-2.amazonaws.com')).toBe('ap-southeast-2');
  expect(regionIn('https://vpce.example.com')).toBe('us-east-1');
});
