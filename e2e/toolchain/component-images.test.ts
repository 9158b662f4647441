import { expect, test } from "vitest";
import { componentNames } from "./component-images.ts";

const LIST = `registry.example/kube-apiserver:v1.36.3
registry.example/kube-controller-manager:v1.36.3
registry.example/kube-scheduler:v1.36.3
registry.example/kube-proxy:v1.36.3
registry.example/coredns/coredns:v1.14.2
registry.example/pause:3.10.2
registry.example/etcd:3.6.8-0
`;

test("each component's image is found in what kubeadm prints", () => {
  expect(componentNames(LIST)).toEqual({
    "kube-apiserver": "registry.example/kube-apiserver:v1.36.3",
    "kube-controller-manager": "registry.example/kube-controller-manager:v1.36.3",
    "kube-scheduler": "registry.example/kube-scheduler:v1.36.3",
    "kube-proxy": "registry.example/kube-proxy:v1.36.3",
    coredns: "registry.example/coredns/coredns:v1.14.2",
    pause: "registry.example/pause:3.10.2",
    etcd: "registry.example/etcd:3.6.8-0",
  });
});

test("a component that kubeadm does not name is missed", () => {
  expect(() => componentNames(LIST.replace(/.*etcd.*\n/, ""))).toThrow("no image of etcd");
});
