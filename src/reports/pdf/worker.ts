// A thread that makes one document and ends: laying out a thousand lines would delay all other requests.
import { parentPort, workerData } from 'node:worker_threads';
import { type DocumentInput, makeDocument } from './document.ts';

parentPort?.postMessage(await makeDocument(workerData as DocumentInput));
