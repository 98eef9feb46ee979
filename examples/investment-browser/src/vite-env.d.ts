/// <reference types="offering-sandbox/vite" />
