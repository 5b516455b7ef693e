// A thread that makes one document and ends: the layout of a thousand lines would hold up everybody else's requests.
import { parentPort, workerData } from 'node:worker_threads';
import { type DocumentInput, makeDocument } from './document.ts';

parentPort?.postMessage(await makeDocument(workerData as DocumentInput));
