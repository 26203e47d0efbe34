import type { INodeProperties } from 'n8n-workflow';

export function shownFor(
	properties: INodeProperties[],
	resource: string,
	operation: string,
): INodeProperties[];

export function withoutCondition(field: INodeProperties, root: string): INodeProperties;
