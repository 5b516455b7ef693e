/** Custom domains of a status page: the DNS record to set, and the state of each domain. */
export const statusPageDomains = {
  pageDomains: {
    title: 'Custom domains',
    lead: 'Visitors also reach the page under these names of yours.',
    none: 'The page has only its address on this installation. Under a name of your own, such as status.example.com, visitors know at once whose page it is. Add the name here, then set one DNS record at your provider; the rest is automatic.',
    name: 'Domain',
    nameHint: 'A subdomain of a domain you own, without https:// in front.',
    namePlaceholder: 'status.example.com',
    nameNeeded: 'Enter a domain.',
    apex: '{{domain}} itself can have no CNAME record: DNS does not allow it beside the records that every domain has. Use a subdomain, such as status.{{domain}}.',
    add: 'Add domain',
    added: '{{domain}} is added. Set its record now.',
    room_one: '{{used}} of {{count, number}} domain that the plan includes for each page.',
    room_other: '{{used}} of {{count, number}} domains that the plan includes for each page.',
    noPlan: 'This plan does not include custom domains.',
    full_one: 'This page has the {{count, number}} domain that the plan allows. Remove it to add another.',
    full_other:
      'This page has all {{count, number}} domains that the plan allows. Remove one to add another.',
    refused: {
      invalid_request:
        'This is not a host name. Enter one such as status.example.com: letters, digits and hyphens, without https://, path, port or *.',
      reserved_domain:
        'Nobody can use this name: it belongs to this installation, is an IP address or a suffix such as co.uk, or exists in no public DNS.',
      duplicate_domain:
        'This domain is already on a status page of yours, or another organization has verified it.',
    },
    list: 'Custom domains of the page',
    open: 'Open {{domain}}',
    remove: 'Remove {{domain}}',
    removeText:
      'From now on visitors find nothing at {{domain}}. Delete its CNAME record too: if you add the domain again, it gets another value.',
    removeConfirm: 'Remove domain',
    removed: '{{domain}} is removed.',
    steps: 'Progress of {{domain}}',
    step: {
      record: 'Record set',
      verified: 'Verified',
      edge: 'On the edge',
      certificate: 'Certificate',
    },
    stepState: {
      done: 'done',
      current: 'under way',
      waiting: 'to come',
      failed: 'failed',
      elsewhere: 'your own proxy',
    },
    verify: 'Verify now',
    looked: 'Looked up at {{time}}.',
    stand: {
      waiting: {
        title: 'Set the record',
        text: 'Set the record below where the DNS of the domain is managed. We check it automatically, and this page updates.',
      },
      pending: {
        text: 'We check it automatically for 72 hours, less and less often. “Verify now” checks at once.',
      },
      failed: {
        pending: 'We checked it for 72 hours without success. Set the record below, then press “Verify now”.',
        verified:
          'The record was wrong for seven days, so the page is no longer shown there. Set it again, then press “Verify now”.',
      },
      lost: {
        title: 'Another organization has this domain',
        text: 'It verified the domain first. If a colleague did, ask them to remove it there. If the domain is yours, point its record at the value below: seven days later the other organization loses it, and you can verify it.',
      },
      dangling: {
        text: 'Visitors still see the page, but only for seven days after the record was changed. Set it to the value below again.',
      },
      syncing: {
        title: 'Verified; the edge is being configured',
        text: 'That takes less than a minute. If it takes longer, the edge is not running: ask the operator of this installation.',
      },
      certifying: {
        title: 'Waiting for the certificate',
        text: 'It is ordered automatically and usually arrives within a minute.',
      },
      uncertified: {
        title: 'No certificate yet',
        text: 'We retry automatically. Until then browsers do not open the page.',
      },
      own_proxy: {
        title: 'Verified; your own proxy serves it',
        text: 'This installation has no edge of its own (EDGE=none). Its operator must forward requests for this domain, with their Host header, from their own proxy, and keep the certificate there. See “A proxy of your own” in docs/self-hosting.md.',
      },
      online: {
        title: 'Online',
        text: 'Visitors reach the page under this domain.',
      },
    },
    problem: {
      title: {
        no_record: 'No CNAME record found',
        points_elsewhere: 'The record points elsewhere',
        unknown: 'DNS gave no answer',
      },
      text: {
        no_record: 'An A record does not count, nor a CNAME record behind a proxy.',
        points_elsewhere: 'It leads to {{to}}, not to the value below.',
        unknown:
          'The name servers of the domain did not answer. This is often temporary; if not, check that they are your provider’s.',
      },
      fresh: {
        no_record: 'A new one takes a few minutes at most providers.',
        points_elsewhere: 'If you have just changed it, DNS caches the old one for a while.',
      },
    },
    certificate: {
      limited: 'Too many certificates were ordered within an hour; the next is ordered after {{until}}.',
      late: 'The certificate authority has not issued it yet.',
      unreached: 'The edge could not be asked for it ({{reason}}): tell the operator of this installation.',
      foreign: 'The edge presents the certificate of another name: tell the operator of this installation.',
      expired: 'The one it had has expired, and the edge could not renew it.',
      missing:
        'Check that the domain has no record besides its CNAME record, and that no CAA record excludes the certificate authority.',
    },
    edgeReports: 'The edge reports: {{sentence}}',
    hidden: {
      draft: 'The page is a draft, so visitors find nothing there yet.',
      off: 'The page is switched off, so visitors find nothing there.',
      link: 'Change who may open it',
    },
    record: {
      show: 'Show the record',
      hide: 'Hide the record',
      provider: 'DNS provider',
      providers: {
        other: 'Another provider',
        cloudflare: 'Cloudflare',
        route53: 'Amazon Route 53',
        godaddy: 'GoDaddy',
        namecheap: 'Namecheap',
        hetzner: 'Hetzner',
        ionos: 'IONOS',
        squarespace: 'Squarespace (was Google Domains)',
      },
      type: 'Type',
      name: 'Name',
      fullName: 'Full name',
      value: 'Value',
      copy: 'Copy {{what}}',
      hints: {
        other:
          'Most forms take the short name and append the domain; some want the full name. If the record then points at a name with your own domain at its end, add a dot after the value.',
        cloudflare:
          'Set the proxy status to “DNS only” (grey cloud): behind the proxy the record cannot be seen from outside, and is not verified. The short name will do; no dot after the value.',
        route53:
          'The short name goes into “Record name”, which appends the domain. Choose record type CNAME, not an alias. A dot after the value makes no difference.',
        godaddy: 'The short name goes into “Name”: the domain is appended. No dot after the value.',
        namecheap:
          'Under “Advanced DNS”, the short name goes into “Host”: with the full name the domain would appear twice. No dot after the value.',
        hetzner:
          'The short name goes into “Name”. The value ends with a dot, as shown here: without it Hetzner appends your own domain.',
        ionos: 'The short name goes into “Host name”, the value into “Points to”, without a dot after it.',
        squarespace: 'The short name goes into “Host”, the value into “Data”, without a dot after it.',
      },
    },
  },
};
