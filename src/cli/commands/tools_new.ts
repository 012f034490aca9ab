export const toolsNew = () => 0;
