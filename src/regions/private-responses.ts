// Decides whether responses of private targets are kept (docs/rules/regions-and-probes.md#private-responses): a private network
// that several organizations can reach belongs to none of them.
import { sql } from 'kysely';
import { LOCAL_REGION } from './create.ts';

/** SQL for the rule in force in region `r`. By default only the bundled region keeps them, while there is one organization. */
export const keepsPrivateResponses = sql<boolean>`coalesce(r.private_responses_choice,
  r.slug = ${LOCAL_REGION} AND (SELECT count(*) FROM (SELECT FROM organizations LIMIT 2) two) < 2)`;
