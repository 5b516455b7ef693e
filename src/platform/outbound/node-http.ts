/**
 * node:http without its ECMAScript wrapper: `import http from 'node:http'` touches every export, and one of them (WebSocket)
 * loads undici, which costs a process 16 MB that it may never need.
 */
export const http = process.getBuiltinModule('node:http');
