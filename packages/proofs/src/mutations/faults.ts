/** Faults planted in a kernel, as its room has them. */
import type { Kernel } from '../kernels.ts';
import { proofsOf } from '../rooms.ts';
import type { PlantedFault } from './fault.ts';

export const plantedFaults = (kernel: Kernel): PlantedFault[] => proofsOf(kernel.family).mutations.faults(kernel);
