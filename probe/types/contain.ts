import type { Socket } from 'node:net';

/**
 * Makes an exception in a listener of the socket destroy the socket. Uncaught, it would end the process and every other check.
 * So a library that fails on unexpected data ends only its own session, and a listener stops reading by throwing.
 */
export function contain(socket: Socket): void {
  const { emit } = socket;
  const contained = (event: string | symbol, ...given: unknown[]): boolean => {
    try {
      return Reflect.apply(emit, socket, [event, ...given]);
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined);
      return true;
    }
  };
  Object.assign(socket, { emit: contained });
}
