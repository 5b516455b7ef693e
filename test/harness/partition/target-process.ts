// The target: answers every request with 200. Arguments: host and port.
import { createServer } from 'node:http';

const [host = '127.0.0.1', port = '8080'] = process.argv.slice(2);
createServer((_request, response) => void response.end('all is well\n')).listen(Number(port), host);
