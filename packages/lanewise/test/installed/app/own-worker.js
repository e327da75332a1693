import 'lanewise/worker.js';
