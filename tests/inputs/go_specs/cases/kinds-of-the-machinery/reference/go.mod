module k8s.io/apimachinery
