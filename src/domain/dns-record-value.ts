// Browser-safe. What an expected value of a DNS record may look like, as people write it.
import ipaddr from 'ipaddr.js';

type Form = { is: (value: string) => boolean; words: string };

const LABEL = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/i;

/** A name with or without its dot at the end; "." alone is the root (a null MX, RFC 7505). */
function isName(value: string): boolean {
  if (value === '.') return true;
  const labels = value.replace(/\.$/, '').split('.');
  return value.length <= 254 && labels.every((label) => label.length <= 63 && LABEL.test(label));
}

const isUint16 = (value: string) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535;
const words = (value: string) => value.trim().split(/\s+/);

const NAME: Form = { is: isName, words: 'a name' };
const TEXT: Form = { is: () => true, words: 'a text' };

const FORMS: Readonly<Record<string, Form>> = {
  A: { is: (value) => ipaddr.IPv4.isValidFourPartDecimal(value), words: 'an IPv4 address' },
  AAAA: { is: (value) => ipaddr.IPv6.isValid(value) && !value.includes('%'), words: 'an IPv6 address' },
  CNAME: NAME,
  NS: NAME,
  PTR: NAME,
  MX: {
    is: (value) => {
      const [name = '', preference = '0', ...rest] = words(value).reverse();
      return rest.length === 0 && isUint16(preference) && isName(name);
    },
    words: 'a mail host, with or without its preference before it (10 mail.example.com)',
  },
  SRV: {
    is: (value) => {
      const [priority = '', weight = '', port = '', name = '', ...rest] = words(value);
      return rest.length === 0 && [priority, weight, port].every(isUint16) && isName(name);
    },
    words: 'priority, weight, port and host (10 5 5060 sip.example.com)',
  },
  CAA: {
    is: (value) => /^\s*\d{1,3}\s+[a-z0-9]+\s+("[^"]*"|\S.*)\s*$/i.test(value),
    words: 'flags, tag and value (0 issue "letsencrypt.org")',
  },
};

/** Whether a record of this type could have the value. */
export function isRecordValue(type: string, value: string): boolean {
  return (FORMS[type] ?? TEXT).is(value);
}

/** Describes the values of a record type: "an IPv4 address". */
export function recordValueForm(type: string): string {
  return (FORMS[type] ?? TEXT).words;
}
