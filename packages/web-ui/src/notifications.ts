import '@mantine/notifications/styles.layer.css';

export { Notifications as default } from '@mantine/notifications';
