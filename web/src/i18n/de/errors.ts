/**
 * Refusals by their stable code; `reasons` belong to invalid_target. For codes without an entry the server's sentence is
 * shown.
 */
export const errors = {
  unexpected: 'Etwas Unerwartetes ist geschehen. Versuchen Sie es noch einmal.',
  unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
  unanswered:
    'Der Server hat nicht geantwortet, darum ist unbekannt, ob dies geschehen ist. Sehen Sie nach, bevor Sie es noch einmal versuchen.',
  internal: 'Im Server ist ein Fehler aufgetreten (Anfrage {{request}}). Näheres steht in seinem Protokoll.',
  unavailable: 'Der Server ist gerade nicht bereit. Versuchen Sie es gleich noch einmal.',
  unauthenticated: 'Ihre Sitzung ist beendet. Melden Sie sich neu an.',
  fresh_sign_in_required: 'Sie haben nicht bestätigt, dass Sie es sind; es wurde nichts geändert.',
  forbidden: 'Ihre Rolle in dieser Organisation erlaubt das nicht.',
  not_found: 'Das gibt es nicht (mehr).',
  rate_limited: 'Zu viele Anfragen. Warten Sie ein wenig und versuchen Sie es noch einmal.',
  drill_running: 'Ein Probealarm läuft: Beenden Sie ihn, oder warten Sie, bis er vorbei ist.',
  alarm_ringing: 'Ein echter Alarm läuft: Kümmern Sie sich zuerst um ihn.',
  window_cancelled: 'Dieses Wartungsfenster ist abgesagt: Planen Sie stattdessen ein neues.',
  name_taken: 'Dieser Name ist schon vergeben.',
  slug_taken: 'Dieser Name ist schon vergeben.',
  empty_name: 'Ein Name ist nötig.',
  empty_slug: 'Der Name braucht mindestens einen Buchstaben oder eine Ziffer.',
  organization_limit: 'Mehr Organisationen können Sie nicht besitzen.',
  limit_reached: 'Das Limit ist erreicht. Löschen Sie, was Sie nicht mehr brauchen.',
  profile_in_use:
    'Ein Monitor benutzt dieses Profil. Wählen Sie für seine Monitore zuerst ein anderes oder keines.',
  incident_open: 'Die Störung ist offen: Verworfen werden kann nur eine beendete.',
  incident_closed: 'Die Störung ist beendet, darum kann niemand mehr dafür gerufen werden.',
  target_inactive: 'Das Ziel ist abgeschaltet: Schalten Sie es zuerst ein.',
  project_not_empty: 'Das Projekt hat noch Monitore. Löschen Sie diese zuerst.',
  quota_reached: 'Der Tarif erlaubt {{limit}} Monitore, und alle sind in Gebrauch.',
  too_many_regions: 'Der Tarif prüft einen Monitor aus höchstens {{limit}} Regionen.',
  unknown_region: 'Eine dieser Regionen gibt es nicht.',
  internal_region: 'Eine dieser Regionen steht Monitoren nicht offen.',
  alarm_standard_unreachable: 'Der Alarmstandard der Organisation verlangt {{limit}} verschiedene Regionen.',
  not_rotatable: 'Diese Art von Ziel hat keinen Schlüssel zum Erneuern.',
  last_owner: 'Eine Organisation braucht einen Inhaber: Machen Sie zuerst jemand anderen dazu.',
  already_member: 'Diese Person ist schon Mitglied.',
  already_invited: 'Für diese Adresse gibt es schon eine offene Einladung.',
  plan_limit: 'Der Tarif erlaubt {{limit}}, und alle sind belegt.',
  plan_capability: 'Der Tarif enthält das nicht.',
  reasons: {
    missing: 'Geben Sie eine Adresse ein.',
    whitespace: 'Eine Adresse kann keine Leerzeichen enthalten.',
    scheme_in_host: 'Nur den Host eingeben, ohne http:// davor.',
    path_in_host: 'Nur den Host eingeben, ohne Pfad.',
    malformed_label: 'Dieser Hostname ist nicht gültig.',
    too_long: 'Diese Adresse ist zu lang.',
    unsupported_scheme: 'Die Adresse muss mit http:// oder https:// beginnen.',
    no_host: 'Die Adresse hat keinen Host.',
    needs_two_labels: 'Der Host braucht einen vollständigen Namen wie example.com.',
    port_range: 'Der Port muss zwischen 1 und 65535 liegen.',
    secret_other_region:
      'Die hinterlegten Geheimnisse gehen an die Regionen, aus denen der Monitor geprüft wird, und an keine andere. Wählen Sie eine von diesen, oder geben Sie das Geheimnis im Formular noch einmal ein, um aus dieser zu testen.',
    rule_stays:
      'Diese Wiederholung hat Tage oder Stunden, die nicht zur neuen Zeit passen. Wählen Sie eine, die passt.',
    invalid_tag:
      'Ein Tag hat 1 bis 50 Buchstaben, Ziffern, Leerzeichen oder Zeichen wie _ . : / @ + # - und beginnt mit einem Buchstaben oder einer Ziffer. Geben Sie jedes Tag einzeln ein.',
    // Codes of the sign-in library.
    email_password_sign_up_disabled:
      'Die Registrierung ist hier geschlossen. Lassen Sie sich von jemandem einladen, der ein Konto hat.',
    invalid_password: 'Das Passwort ist falsch.',
    invalid_code:
      'Dieser Code stimmt nicht. Nehmen Sie den, den die App jetzt zeigt, und prüfen Sie die Uhr ihres Geräts.',
    invalid_backup_code: 'Dieser Wiederherstellungscode stimmt nicht oder ist schon verbraucht.',
    invalid_two_factor_cookie: 'Diese Anmeldung hat zu lange gedauert. Beginnen Sie von vorn.',
    too_many_attempts_request_new_code: 'Zu viele falsche Codes. Beginnen Sie mit dem Passwort von vorn.',
    account_temporarily_locked:
      'Zu viele falsche Codes. Dieses Konto nimmt erst in einer Weile wieder welche an.',
    password_too_short: 'Ein Passwort braucht mindestens 8 Zeichen.',
    common_password: 'Dieses Passwort probieren alle zuerst. Wählen Sie ein anderes.',
    password_too_long: 'Ein Passwort hat höchstens 128 Zeichen.',
    challenge_not_found: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
    passkey_not_found: 'Dieser Passkey gehört hier zu keinem Konto (mehr).',
    user_not_verified:
      'Dieser Passkey fragt nach keinem Fingerabdruck, Gesicht oder PIN. Richten Sie das ein, und versuchen Sie es dann noch einmal.',
    authentication_failed: 'Dieser Passkey wurde nicht angenommen.',
    user_already_exists: 'Ein Konto mit dieser Adresse gibt es schon. Melden Sie sich damit an.',
    user_already_exists_use_another_email:
      'Ein Konto mit dieser Adresse gibt es schon. Melden Sie sich damit an.',
  },
};
