import type { Socket } from 'node:net';

/**
 * What is thrown while an event of the socket is heard destroys the socket: thrown out of the event, it would end the
 * process, and with it every other check. So a library that meets what it did not expect ends its own session only, and a
 * listener that has had enough throws, and nothing of what came is read on.
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
