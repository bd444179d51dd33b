// Requests to AWS signed with an access key (signature version 4).
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

interface Signable {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The headers of the request with its signature. `service` and `region` are those of the endpoint; `now` in milliseconds since 1970. */
export function signed(
  { method, url, headers, body }: Signable,
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
  { service, region, now }: { readonly service: string; readonly region: string; readonly now: number },
): Record<string, string> {
  const target = new URL(url);
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const sent = {
    ...headers,
    host: target.host,
    'x-amz-date': time,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(sent).sort();
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const request = [
    method,
    pathOf(target),
    queryOf(target),
    ...names.map(
      (name) =>
        `${name}:${String(sent[name as keyof typeof sent])
          .trim()
          .replace(/\s+/g, ' ')}`,
    ),
    '',
    names.join(';'),
    hash(body),
  ].join('\n');
  const text = [ALGORITHM, time, scope, hash(request)].join('\n');
  const parts = [time.slice(0, 8), region, service, 'aws4_request'];
  const key = parts.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
  const signature = hmac(key, text).toString('hex');
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...sent, authorization };
}

const crypto = () => process.getBuiltinModule('node:crypto');
const hash = (text: string): string => crypto().createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => crypto().createHmac('sha256', key).update(text).digest();

/** Every segment is encoded once more than in the request. */
const pathOf = ({ pathname }: URL): string =>
  pathname
    .split('/')
    .map((segment) => encoded(segment))
    .join('/');

const queryOf = ({ searchParams }: URL): string =>
  [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The region in the host of an endpoint of AWS (`bedrock-runtime.eu-west-1.amazonaws.com`). */
export const regionIn = (url: string): string =>
  /\.([a-z]{2}(?:-[a-z]+)+-\d+)\.amazonaws\.com/.exec(url)?.[1] ?? 'us-east-1';
