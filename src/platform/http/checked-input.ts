// The query and body of a request, checked against the contract of its operation.
import type { FastifyRequest } from 'fastify';
import { IsOptional } from 'typebox';
import type { Operation } from '../contract.ts';
import { Refusal } from '../refusals.ts';
import { coerceQuery, refuseContent, validate } from './validate.ts';

/** Returns the query with the types of its contract; refuses a query or a body that does not match. */
export function checkedInput(operation: Operation, request: FastifyRequest): Record<string, unknown> {
  const query = coerceQuery(operation.query ?? { type: 'object' }, request.query as Record<string, unknown>);
  if (operation.query) validate(operation.query, query);
  else if (Object.keys(query).length > 0) {
    const [field = ''] = Object.keys(query);
    throw new Refusal('invalid_request', `${field} is not a parameter of this request.`, { field });
  }
  // A missing body is not the body `null`, which some operations accept.
  if (operation.body && !(request.body === undefined && IsOptional(operation.body)))
    validate(operation.body, request.body);
  else if (!operation.body && operation.consumes === undefined) refuseContent(request.body);
  return query;
}
