/** Eigene Domains einer Statusseite: der Eintrag, der zu setzen ist, und wie weit jede ist. */
export const statusPageDomains = {
  pageDomains: {
    title: 'Eigene Domains',
    lead: 'Die Seite ist auch unter diesen Namen zu erreichen.',
    none: 'Die Seite hat nur ihre Adresse auf dieser Installation. Unter einem eigenen Namen wie status.example.com ist sofort klar, wessen Seite es ist. Fügen Sie ihn hier hinzu, und setzen Sie dann einen DNS-Eintrag bei Ihrem Anbieter; der Rest geschieht von selbst.',
    name: 'Domain',
    nameHint: 'Eine Subdomain einer Ihrer Domains, ohne https:// davor.',
    namePlaceholder: 'status.example.com',
    nameNeeded: 'Geben Sie eine Domain ein.',
    apex: '{{domain}} selbst kann keinen CNAME-Eintrag haben: DNS erlaubt ihn nicht neben den Einträgen, die jede Domain hat. Nehmen Sie eine Subdomain, etwa status.{{domain}}.',
    add: 'Domain hinzufügen',
    added: '{{domain}} ist hinzugefügt. Setzen Sie jetzt den Eintrag.',
    room_one: '{{used}} von {{count, number}} Domain, die der Tarif je Seite enthält.',
    room_other: '{{used}} von {{count, number}} Domains, die der Tarif je Seite enthält.',
    noPlan: 'Dieser Tarif enthält keine eigenen Domains.',
    full_one:
      'Diese Seite hat die {{count, number}} Domain, die der Tarif erlaubt. Entfernen Sie sie, um eine andere hinzuzufügen.',
    full_other:
      'Diese Seite hat alle {{count, number}} Domains, die der Tarif erlaubt. Entfernen Sie eine, um eine andere hinzuzufügen.',
    refused: {
      invalid_request:
        'Das ist kein Hostname. Geben Sie einen wie status.example.com ein: Buchstaben, Ziffern und Bindestriche, ohne https://, Pfad, Port oder *.',
      reserved_domain:
        'Diesen Namen kann niemand nehmen: Er gehört zu dieser Installation, ist eine IP-Adresse oder eine Endung wie co.uk, oder es gibt ihn in keinem öffentlichen DNS.',
      duplicate_domain:
        'Diese Domain hat schon eine Ihrer Statusseiten, oder eine andere Organisation hat sie bestätigt.',
    },
    list: 'Eigene Domains der Seite',
    open: '{{domain}} öffnen',
    remove: '{{domain}} entfernen',
    removeText:
      'Wer {{domain}} öffnet, findet dort sofort nichts mehr. Löschen Sie auch den CNAME-Eintrag: Fügen Sie die Domain wieder hinzu, bekommt sie einen anderen Wert.',
    removeConfirm: 'Domain entfernen',
    removed: '{{domain}} ist entfernt.',
    steps: 'Fortschritt von {{domain}}',
    step: {
      record: 'Eintrag gesetzt',
      verified: 'Bestätigt',
      edge: 'Am Edge',
      certificate: 'Zertifikat',
    },
    stepState: {
      done: 'fertig',
      current: 'läuft',
      waiting: 'kommt noch',
      failed: 'fehlgeschlagen',
      elsewhere: 'Ihr eigener Proxy',
    },
    verify: 'Jetzt prüfen',
    looked: 'Geprüft um {{time}}.',
    stand: {
      waiting: {
        title: 'Setzen Sie den Eintrag',
        text: 'Setzen Sie den Eintrag unten dort, wo das DNS der Domain verwaltet wird. Er wird automatisch geprüft, und diese Seite zeigt das Ergebnis.',
      },
      pending: {
        text: 'Der Eintrag wird 72 Stunden lang automatisch geprüft, immer seltener. „Jetzt prüfen“ prüft sofort.',
      },
      failed: {
        pending:
          '72 Stunden lang wurde vergeblich geprüft. Setzen Sie den Eintrag unten, und wählen Sie dann „Jetzt prüfen“.',
        verified:
          'Der Eintrag war sieben Tage lang falsch; darum ist die Seite dort nicht mehr zu sehen. Setzen Sie den Eintrag wieder, und wählen Sie dann „Jetzt prüfen“.',
      },
      lost: {
        title: 'Eine andere Organisation hat diese Domain',
        text: 'Sie hat die Domain zuerst bestätigt. War es jemand aus Ihrem Haus, bitten Sie darum, sie dort zu entfernen. Gehört die Domain Ihnen, richten Sie ihren Eintrag auf den Wert unten: Sieben Tage später verliert die andere Organisation sie, und Sie können sie bestätigen.',
      },
      dangling: {
        text: 'Die Seite ist dort noch zu sehen, aber nur bis sieben Tage nach der Änderung des Eintrags. Setzen Sie ihn wieder auf den Wert unten.',
      },
      syncing: {
        title: 'Bestätigt; der Edge übernimmt sie',
        text: 'Das dauert weniger als eine Minute. Dauert es länger, läuft der Edge nicht: Wenden Sie sich an den Betreiber dieser Installation.',
      },
      certifying: {
        title: 'Das Zertifikat fehlt noch',
        text: 'Es wird automatisch bestellt und kommt meist innerhalb einer Minute.',
      },
      uncertified: {
        title: 'Noch kein Zertifikat',
        text: 'Es wird automatisch erneut versucht. Bis dahin öffnen Browser die Seite nicht.',
      },
      own_proxy: {
        title: 'Bestätigt; Ihr eigener Proxy liefert sie aus',
        text: 'Diese Installation hat keinen eigenen Edge (EDGE=none). Wer sie betreibt, lässt den eigenen Proxy Anfragen an diese Domain mit ihrem Host weiterreichen und hält dort das Zertifikat. Wie, steht unter „A proxy of your own“ in docs/self-hosting.md.',
      },
      online: {
        title: 'Online',
        text: 'Unter dieser Domain ist die Seite zu erreichen.',
      },
    },
    problem: {
      title: {
        no_record: 'Kein CNAME-Eintrag gefunden',
        points_elsewhere: 'Der Eintrag zeigt woandershin',
        unknown: 'DNS hat nicht geantwortet',
      },
      text: {
        no_record: 'Ein A-Eintrag zählt nicht, und ein CNAME-Eintrag hinter einem Proxy auch nicht.',
        points_elsewhere: 'Er führt zu {{to}}, nicht zum Wert unten.',
        unknown:
          'Die Nameserver der Domain ließen sich nicht befragen. Oft ist das vorübergehend; prüfen Sie sonst, ob es die Ihres Anbieters sind.',
      },
      fresh: {
        no_record: 'Ein neuer braucht bei den meisten Anbietern einige Minuten.',
        points_elsewhere: 'Wurde er gerade geändert, merkt sich DNS den alten noch eine Weile.',
      },
    },
    certificate: {
      limited:
        'In einer Stunde wurden zu viele Zertifikate bestellt; das nächste wird nach {{until}} bestellt.',
      late: 'Die Zertifizierungsstelle hat es noch nicht ausgestellt.',
      unreached:
        'Der Edge ließ sich nicht danach fragen ({{reason}}): Melden Sie es dem Betreiber dieser Installation.',
      foreign:
        'Der Edge zeigt das Zertifikat eines anderen Namens: Melden Sie es dem Betreiber dieser Installation.',
      expired: 'Das bisherige ist abgelaufen, und der Edge konnte es nicht erneuern.',
      missing:
        'Sehen Sie nach, ob die Domain neben dem CNAME-Eintrag keinen anderen hat und kein CAA-Eintrag die Zertifizierungsstelle ausschließt.',
    },
    edgeReports: 'Der Edge meldet: {{sentence}}',
    hidden: {
      draft: 'Die Seite ist ein Entwurf; dort ist also noch nichts zu finden.',
      off: 'Die Seite ist abgeschaltet; dort ist also nichts zu finden.',
      link: 'Ändern, wer sie öffnen darf',
    },
    record: {
      show: 'Eintrag zeigen',
      hide: 'Eintrag verbergen',
      provider: 'DNS-Anbieter',
      providers: {
        other: 'Ein anderer Anbieter',
        cloudflare: 'Cloudflare',
        route53: 'Amazon Route 53',
        godaddy: 'GoDaddy',
        namecheap: 'Namecheap',
        hetzner: 'Hetzner',
        ionos: 'IONOS',
        squarespace: 'Squarespace (früher Google Domains)',
      },
      type: 'Typ',
      name: 'Name',
      fullName: 'Voller Name',
      value: 'Wert',
      copy: '{{what}} kopieren',
      hints: {
        other:
          'Die meisten Formulare nehmen den kurzen Namen und hängen die Domain an; manche wollen den vollen. Zeigt der Eintrag danach auf einen Namen mit Ihrer eigenen Domain am Ende, setzen Sie einen Punkt hinter den Wert.',
        cloudflare:
          'Stellen Sie den Proxy-Status auf „DNS only“ (graue Wolke): Hinter dem Proxy ist der Eintrag von außen nicht zu sehen und wird nicht bestätigt. Der kurze Name genügt; kein Punkt hinter dem Wert.',
        route53:
          'Der kurze Name kommt nach „Record name“; die Domain wird angehängt. Wählen Sie als Typ CNAME, keinen Alias. Ein Punkt hinter dem Wert ändert nichts.',
        godaddy: 'Der kurze Name kommt nach „Name“; die Domain wird angehängt. Kein Punkt hinter dem Wert.',
        namecheap:
          'Unter „Advanced DNS“ kommt der kurze Name nach „Host“: Mit dem vollen stünde die Domain zweimal da. Kein Punkt hinter dem Wert.',
        hetzner:
          'Der kurze Name kommt nach „Name“. Der Wert endet mit einem Punkt, wie hier gezeigt: Ohne ihn hängt Hetzner Ihre eigene Domain an.',
        ionos: 'Der kurze Name kommt nach „Hostname“, der Wert nach „Verweist auf“, ohne Punkt dahinter.',
        squarespace: 'Der kurze Name kommt nach „Host“, der Wert nach „Data“, ohne Punkt dahinter.',
      },
    },
  },
};
