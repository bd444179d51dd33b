// Proxies that the environment names (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Node's agents know them: https://nodejs.org/api/http.html#built-in-proxy-support
import type { Agent } from 'node:http';

export type ProxyVariables = Readonly<Record<string, string | undefined>>;

const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const agents = new Map<string, Agent>();

/**
 * The agent for a request: one that knows the proxy, where there is one; undefined is Node's own. `fresh` is one for a single request, whose
 * connection nobody has used before.
 */
export function agentFor(target: URL, env: ProxyVariables | undefined, fresh: boolean): Agent | false | undefined {
  if (env === undefined || !isProxied(target, env)) return fresh ? false : undefined;
  const known = fresh ? undefined : agents.get(target.protocol);
  if (known) return known;
  const { Agent } = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new Agent({ keepAlive: !fresh, proxyEnv: { ...env } });
  if (!fresh) agents.set(target.protocol, agent);
  return agent;
}

function isProxied({ hostname, host }: URL, env: ProxyVariables): boolean {
  if (LOCAL.test(hostname) || !NAMES.some((name) => env[name])) return false;
  const exempt = (env.no_proxy ?? env.NO_PROXY ?? '').toLowerCase().split(/[\s,]+/);
  return !exempt.some((one) => one !== '' && isWithin(one.replace(/^\*?\./, ''), hostname, host));
}

/** A name stands for its subdomains too, as for curl and most other clients; Node takes it for one host. */
const isWithin = (name: string, hostname: string, host: string): boolean =>
  name === '*' || name === hostname || name === host || hostname.endsWith(`.${name}`);
