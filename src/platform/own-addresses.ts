// The addresses of this machine under which a server that listens on all of them can be opened.
import { networkInterfaces } from 'node:os';

/** Addresses that other machines may use, IPv4 first; without loopback and link-local ones. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const reachable = all.filter(({ address, internal }) => !internal && !/^(fe80:|169\.254\.)/i.test(address));
  return reachable
    .toSorted((left, right) => left.family.localeCompare(right.family))
    .map(({ address }) => address);
}

const EVERYWHERE = ['0.0.0.0', '::'];
export const listensEverywhere = (host: string): boolean => EVERYWHERE.includes(host);

/** The hosts under which a server that listens at `host` can be opened, the most useful one first; IPv6 in brackets. */
export function openableHosts(host: string): string[] {
  const hosts = listensEverywhere(host) ? [...ownAddresses(), 'localhost'] : [host];
  const usable = host === '0.0.0.0' ? hosts.filter((each) => !each.includes(':')) : hosts;
  return usable.map((each) => (each.includes(':') ? `[${each}]` : each));
}

/** A server that listens on all addresses is reached on loopback. */
export function reachable(address: string): string {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.origin;
}
