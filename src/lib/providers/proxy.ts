// Proxies that the environment names (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Node's agents know them: https://nodejs.org/api/http.html#built-in-proxy-support
import type { Agent } from 'node:http';

export type ProxyVariables = Readonly<Record<string, string | undefined>>;

const NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const agents = new Map<string, Agent>();

/** The agent for requests through a proxy; undefined where there is none, and for servers of this machine. */
export function agentFor(target: URL, env: ProxyVariables | undefined): Agent | undefined {
  if (env === undefined || LOCAL.test(target.hostname) || !NAMES.some((name) => env[name])) return undefined;
  const known = agents.get(target.protocol);
  if (known) return known;
  const { Agent } = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new Agent({ keepAlive: true, proxyEnv: { ...env } });
  agents.set(target.protocol, agent);
  return agent;
}
