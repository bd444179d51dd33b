// Which addresses are the world's, and which belong to this machine or its network: a model must not reach those unless it was allowed to.
import type { LookupAddress } from 'node:dns';
import type { BlockList, LookupFunction } from 'node:net';
import { type ToolContext, ToolError } from '../../lib/cli/tool.ts';

/** https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry */
const PRIVATE: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

let list: BlockList | undefined;

function privates(): BlockList {
  if (list) return list;
  const { BlockList: List } = process.getBuiltinModule('node:net');
  list = new List();
  for (const [network, prefix, family] of PRIVATE) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether an address is not the world's. An IPv4 address in IPv6's clothes is that IPv4 address. */
export function isPrivate(address: string): boolean {
  const { isIP } = process.getBuiltinModule('node:net');
  const family = isIP(address);
  if (family === 0) return true;
  return privates().check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Hosts that may be reached although they are private: AI_WEB_ALLOW, `host` or `host:port`, separated by commas. */
export function isAllowed({ hostname, port, protocol }: URL, env: ToolContext['env']): boolean {
  const real = port || (protocol === 'https:' ? '443' : '80');
  const named = (env.AI_WEB_ALLOW ?? '').split(',').map((each) => each.trim().toLowerCase());
  return named.includes(hostname) || named.includes(`${hostname}:${real}`);
}

/** A look-up that gives only the world's addresses, so that what was checked is what is connected to. */
export const worldOnly: LookupFunction = (hostname, options, callback) => {
  const { lookup } = process.getBuiltinModule('node:dns');
  lookup(hostname, { ...options, all: true }, (error, found) => {
    const addresses: LookupAddress[] = found ?? [];
    const blocked = error ? undefined : addresses.find(({ address }) => isPrivate(address));
    const [first] = addresses;
    if (error) callback(error, '');
    else if (blocked || first === undefined) callback(privateHost(hostname, blocked?.address ?? 'none'), '');
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** The refusal of a host on this machine or its network. */
export const privateHost = (host: string, address: string): ToolError =>
  new ToolError(
    `${host} is not fetched: its address ${address} is in a private network (AI_WEB_ALLOW names hosts that may be)`,
  );
